"""How every function runs."""

import platform
from itertools import chain

from aws_cdk import Stack
from aws_cdk.assertions import Template

from functions.settings import (
    NO_BATCH,
    AuthorizerSettings,
    BatchPublishSettings,
    BatchRepairSettings,
    BatchRunSettings,
    BatchVerifySettings,
    CascadeSettings,
    ConsumerSettings,
    DocumentsSettings,
    HeartbeatSettings,
    IndexerSettings,
    LastLineSettings,
    OperationsSettings,
    OutletSettings,
    ProofSettings,
    PusherSettings,
    RedriveSettings,
    RoutesSettings,
    SearchSettings,
    SocketSettings,
    SubscribingSettings,
    SweeperSettings,
    TelemetrySettings,
)
from functions.systems.proof.system import SYSTEM as PROOF
from infra.functions import FUNCTIONS
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from local.stream.deployed import PLAIN
from local.stream.deployed import settings as delivered_by
from tests.infra.conftest import Deployment, new_app

# What is shipped is what was tested.
RUNTIME = "python" + ".".join(platform.python_version_tuple()[:2])
POWERTOOLS = {"POWERTOOLS_SERVICE_NAME", "POWERTOOLS_METRICS_NAMESPACE", "POWERTOOLS_LOG_LEVEL"}
OPTIONAL = ("batch_", "push", "socket", "search", "indexer", "outlet", PROOF.name)
HTTP = set(RoutesSettings("t", "s", "r", "u").to_env())
OPERATIONS = set(OperationsSettings("t", "s", "r", "u", "consumer", "cascade", "namespace").to_env())
TELEMETRY = set(TelemetrySettings("t", "s", "r", "u", "puts").to_env())
DOCUMENTS = set(DocumentsSettings("t", "s", "r", "u", "p").to_env())
SEARCH = set(SearchSettings("t", "s", "r", "u", "i", "q").to_env())
OF_PROOF = set(ProofSettings("t", "s", "r", "u", "local").to_env())
WITHOUT_ROUTES = {
    "edge_aggregator": set(ConsumerSettings("t", "puts", NO_BATCH).to_env()),
    "cascade": set(CascadeSettings("t", "u", "a", "s", "o", "e", "puts").to_env()),
    "indexer": set(IndexerSettings("t", "b", "q").to_env()),
    "outlet": set(OutletSettings("b").to_env()),
    "redrive": set(RedriveSettings(table_name="t").to_env()),
    "last_line": set(LastLineSettings(table_name="t").to_env()),
    "sweeper": set(SweeperSettings(table_name="t").to_env()),
    "heartbeat": set(HeartbeatSettings("t", "s", "q").to_env()),
    "pusher": set(PusherSettings("t", "s", "e", "u").to_env()),
    "socket": set(SubscribingSettings("t", "s", "e").to_env()),
    "socket_authorizer": set(AuthorizerSettings("t").to_env()),
    "socket_sweeper": set(SocketSettings("t", "e").to_env()),
    "batch_repair": set(BatchRepairSettings(table_name="t", bucket="b", writes="puts").to_env()),
    "batch_verify": set(BatchVerifySettings(table_name="t", bucket="b", rest_seconds="1").to_env()),
    "batch_publish": set(BatchPublishSettings(table_name="t", bucket="b").to_env()),
    "batch_run": set(BatchRunSettings(table_name="t", bucket="b", before_seconds="1", after_seconds="1").to_env()),
}


def test_environment_is_what_the_settings_read(checked: Deployment, breakable: Deployment) -> None:
    read = {
        **WITHOUT_ROUTES,
        "operations": OPERATIONS,
        "documents": DOCUMENTS,
        "telemetry": TELEMETRY,
        "search": SEARCH,
        PROOF.name: OF_PROOF,
    }
    for name, function in chain(checked.functions().items(), breakable.functions().items()):
        assert set(function["Environment"]["Variables"]) == read.get(name, HTTP) | POWERTOOLS, name


def test_every_setting_of_a_mapping_is_one_that_the_local_cloud_delivers_by(local: Deployment) -> None:
    """The consumer's has a window there too, if a short one; the second reader's has none."""
    mappings = [
        resource["Properties"]
        for template in (local.edge_stream, local.cascade)
        for resource in template.find_resources("AWS::Lambda::EventSourceMapping").values()
        if "StartingPosition" in resource["Properties"]
    ]
    read = {*PLAIN, "StartingPosition", "FilterCriteria", "FunctionResponseTypes", "DestinationConfig"}
    for each in mappings:
        assert each.keys() <= {*read, "EventSourceArn", "FunctionName", "MetricsConfig", "Tags"}
    assert [delivered_by(each, None).tumbling_window for each in mappings] == [2, 0]


def test_all_run_alike(dev: Deployment, checked: Deployment) -> None:
    for stage in (dev, checked):
        for function in stage.functions().values():
            assert function["Architectures"] == ["arm64"]
            assert function["Runtime"] == RUNTIME
            assert "ReservedConcurrentExecutions" not in function


def test_what_a_fleet_keeps_busy_is_traced_only_if_a_stage_says_so(checked: Deployment) -> None:
    """One invocation of each second is traced, which can't be set: 2,592,000 a month of a function, 12.96 USD."""
    app = new_app("dev")
    build_stacks(app, InfraSettings("dev", traces="all", push=True, search="embedded", outlet=("order",)))
    stacks = [stack for stack in app.node.children if isinstance(stack, Stack)]
    templates = (Template.from_stack(stack).find_resources("AWS::Lambda::Function") for stack in stacks)
    all_of_them = [one["Properties"] for found in templates for one in found.values()]
    assert {one["TracingConfig"]["Mode"] for one in all_of_them} == {"Active"}
    untraced = {name for name, function in checked.functions().items() if "TracingConfig" not in function}
    assert untraced == {"telemetry", "edge_aggregator", "cascade", "pusher", "heartbeat", "indexer", "outlet"}
    traced = checked.functions().keys() - untraced
    assert {checked.functions()[name]["TracingConfig"]["Mode"] for name in traced} == {"Active"}


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


def test_a_row_for_each_function(dev: Deployment, checked: Deployment) -> None:
    assert set(checked.functions()) == FUNCTIONS.keys() - {PROOF.name}
    assert set(dev.functions()) == {name for name in FUNCTIONS if not name.startswith(OPTIONAL)}


def test_logs_end(dev: Deployment, checked: Deployment) -> None:
    for stage, days in ((dev, 7), (checked, 90)):
        groups = stage.resources("AWS::Logs::LogGroup")
        assert {group["Properties"]["RetentionInDays"] for group in groups.values()} == {days}
        for function in stage.functions().values():
            assert function["LoggingConfig"]["LogGroup"]["Ref"] in groups


def test_only_who_searches_carries_the_search_engine(checked: Deployment) -> None:
    assert {name for name, one in checked.functions().items() if len(one["Layers"]) == 2} == {"search", "indexer"}


def test_code_of_its_own_for_each_function_and_one_layer_that_the_emulator_lacks(
    dev: Deployment, local: Deployment
) -> None:
    for stage, expected in ((dev, ["what functions/requirements.txt pins"]), (local, [])):
        codes = {function["Code"]["S3Key"] for function in stage.functions().values()}
        assert len(codes) == len(stage.functions())
        layers = [layer["Properties"] for layer in stage.resources("AWS::Lambda::LayerVersion").values()]
        pinned = {(one["Description"], one["Content"]["S3Key"]) for one in layers if "Description" in one}
        assert [description for description, _ in pinned] == expected


def test_a_functions_layer_is_of_its_stack_so_that_it_can_be_replaced(checked: Deployment) -> None:
    for template in checked.templates:
        if template is checked.table:
            continue
        found = template.find_resources("AWS::Lambda::LayerVersion", ours("CompatibleRuntimes", [RUNTIME]))
        pins = {one["Properties"]["Description"]: layer for layer, one in found.items()}
        layer, engine = (pins.get(f"what functions/{each}requirements.txt pins") for each in ("", "search/"))
        # CDK's own functions, for deployments only, have layers of theirs.
        made = (one["Properties"] for one in template.find_resources("AWS::Lambda::Function").values())
        for function in (one for one in made if one["Handler"].startswith("functions.")):
            assert function["Layers"] in ([{"Ref": layer}], [{"Ref": layer}, {"Ref": engine}])


def ours(name: str, value: object) -> dict[str, object]:
    """What finds resources with this property."""
    return {"Properties": {name: value}}


def test_the_stacks_of_functions_come_after_the_table(dev: Deployment) -> None:
    for name in ("api", "edge-stream", "cascade"):
        stack = dev.app.node.find_child(f"edgewise-dev-{name}")
        assert isinstance(stack, Stack)
        assert "edgewise-dev-table" in {other.stack_name for other in stack.dependencies}
