"""How every function runs."""

from functions.settings import (
    CascadeSettings,
    ConsumerSettings,
    HttpSettings,
    LastLineSettings,
    RedriveSettings,
    SweeperSettings,
)
from infra.functions import FUNCTIONS
from infra.settings import InfraSettings
from tests.infra.conftest import Deployment

POWERTOOLS = {"POWERTOOLS_SERVICE_NAME", "POWERTOOLS_METRICS_NAMESPACE", "POWERTOOLS_LOG_LEVEL"}
HTTP = set(HttpSettings(table_name="t", cursor_secret_arn="s").to_env())
WITHOUT_ROUTES = {
    "edge_aggregator": set(ConsumerSettings(table_name="t", shard_source="shard").to_env()),
    "cascade": set(CascadeSettings(table_name="t").to_env()),
    "redrive": set(RedriveSettings(table_name="t").to_env()),
    "last_line": set(LastLineSettings(table_name="t").to_env()),
    "sweeper": set(SweeperSettings(table_name="t").to_env()),
}


def test_environment_is_what_the_settings_read(dev: Deployment) -> None:
    for name, function in dev.functions().items():
        assert set(function["Environment"]["Variables"]) == WITHOUT_ROUTES.get(name, HTTP) | POWERTOOLS, name


def test_shards_are_shards_except_on_the_emulator(dev: Deployment, prod: Deployment, local: Deployment) -> None:
    shards = [
        stage.functions()["edge_aggregator"]["Environment"]["Variables"]["SHARD_SOURCE"] for stage in (dev, prod, local)
    ]
    assert shards == ["shard", "shard", "single"]


def test_all_run_alike(dev: Deployment, prod: Deployment) -> None:
    for stage in (dev, prod):
        for function in stage.functions().values():
            assert function["Architectures"] == ["arm64"]
            assert function["Runtime"] == "python3.11"
            assert function["TracingConfig"] == {"Mode": "Active"}
            assert "ReservedConcurrentExecutions" not in function


def test_the_emulator_runs_this_machines_code(local: Deployment) -> None:
    settings = InfraSettings("local", emulator=True)
    architectures = {tuple(function["Architectures"]) for function in local.functions().values()}
    assert architectures == {(settings.architecture.name,)}
    assert settings.wheel_platform is None


def test_http_functions_answer_before_the_api_gives_up(dev: Deployment) -> None:
    for name, function in dev.functions().items():
        if name not in WITHOUT_ROUTES:
            # Rooms widen with this lead, so that no request in flight writes by the old number of shards.
            assert function["Timeout"] == 10, name


def test_the_consumer_has_a_whole_processor(dev: Deployment, prod: Deployment) -> None:
    """Lambda lends a processor in proportion to the memory, a whole one from 1,769 MB on.

    A shard brings up to 1,000 records a second to one invocation at a time, which nobody can help; and of more than one
    processor Python's threads use nothing.
    """
    for stage in (dev, prod):
        assert stage.functions()["edge_aggregator"]["MemorySize"] == 1769


def test_a_row_for_each_function(dev: Deployment) -> None:
    assert set(dev.functions()) == set(FUNCTIONS)


def test_logs_end(dev: Deployment, prod: Deployment) -> None:
    for stage, days in ((dev, 7), (prod, 90)):
        groups = stage.resources("AWS::Logs::LogGroup")
        assert {group["Properties"]["RetentionInDays"] for group in groups.values()} == {days}
        for function in stage.functions().values():
            assert function["LoggingConfig"]["LogGroup"]["Ref"] in groups


def test_one_asset_for_all_and_another_one_for_another_platform(dev: Deployment, local: Deployment) -> None:
    keys = [{function["Code"]["S3Key"] for function in stage.functions().values()} for stage in (dev, local)]
    assert [len(one) for one in keys] == [1, 1]
    assert keys[0] != keys[1]
