"""A stage has one file of settings: checked whole, and refused by name."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Template
from pydantic import TypeAdapter

from infra import stages
from infra.backup.settings import BackupSettings
from infra.batch.settings import BatchSettings
from infra.console.settings import ConsoleSettings
from infra.domain import DomainSettings
from infra.iot.settings import IotSettings
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from infra.stages import InvalidStageError
from tests.infra.conftest import Deployment, new_app

ROOT = Path(__file__).parents[2]
OTHERS_STREAM = "arn:aws:dynamodb:us-east-1:111122223333:table/edgewise-test-2-20261123T054100Z/stream/2026-11-23T06:02"
# CloudFront takes certificates from us-east-1 only.
HERE = "arn:aws:acm:us-east-1:012345678901:certificate/0a-1b"
ELSEWHERE = "arn:aws:acm:eu-central-1:012345678901:certificate/0a-1b"
PRODUCTION = 'production = true\naccount = "111122223333"\nregion = "us-east-1"'
ALARMED = 'alarms = "all"\npages = ["on@call.example"]\ntickets = ["on@call.example"]'


def settings(folder: Path, stage: str = "test", like: str | None = None, **files: str) -> InfraSettings:
    """The settings of a stage where a folder has these files."""
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return stages.of_context(new_app(stage, like=like).node, folder)


@pytest.mark.parametrize("stage", ["a", "alice", "pr-17", "x2-y", "a" * 20])
def test_a_stage_without_a_file_is_a_developers(tmp_path: Path, stage: str) -> None:
    assert settings(tmp_path, stage) == InfraSettings(stage)
    assert not InfraSettings(stage).production


@pytest.mark.parametrize("stage", ["", "Alice", "al_ice", "-a", "a-", "a--b", "1a", "ä", "a" * 21, "../x"])
def test_other_names_are_refused(tmp_path: Path, stage: str) -> None:
    with pytest.raises(InvalidStageError, match=f"^STAGE={stage}: a stage's name has at most 20 lowercase letters, "):
        settings(tmp_path, stage)


def test_what_a_file_says_is_what_is_deployed(tmp_path: Path) -> None:
    text = """
        production = true
        account = "012345678901"
        region = "eu-central-1"
        push = true
        search = "embedded"
        outlet = ["order", "bill"]
        emulator_url = "http://localhost:4567"
        request_rate = 7
        request_burst = 8
        write_units = 5000
        read_units = 6000
        warm_write_units = 8000
        warm_read_units = 24000
        contributor_insights = true
        request_units = 700
        budget = 70
        rehearsed = 500
        snap_start = true
        log_days = 30
        alarms = "all"
        traces = "all"
        pages = ["secret:edgewise/pager", "https://pager.edgewise.dev/alarms"]
        tickets = ["on@call.example", "slack:T0AB1/C2CD3"]
        cors_origins = ["https://app.example.com", "http://localhost:5173"]
        console_origins = ["https://console.example.com"]
        tags = { team = "sensors" }
        [rates]
        everybody = 20
        ingest = 9000
        [batch]
        interval_hours = 8
        hour = 21
        vcpus = 64
        [backup]
        region = "eu-west-1"
        interval_hours = 6
        days = 3
        [domain]
        name = "api.example.com"
        certificate = "arn:aws:acm:eu-central-1:012345678901:certificate/0a-1b"
        alone = true
        [iot]
        sparkplug = ["temp", "Inputs/A"]
        [console]
        domain = "console.example.com"
        certificate = "arn:aws:acm:us-east-1:012345678901:certificate/0a-1b"
    """
    found = settings(tmp_path, test=text)
    assert found == InfraSettings(
        stage="test",
        production=True,
        account="012345678901",
        region="eu-central-1",
        push=True,
        search="embedded",
        outlet=("order", "bill"),
        emulator_url="http://localhost:4567",
        request_rate=7,
        request_burst=8,
        write_units=5000,
        read_units=6000,
        warm_write_units=8000,
        warm_read_units=24000,
        contributor_insights=True,
        request_units=700,
        rates={"everybody": 20, "ingest": 9000},
        budget=70,
        rehearsed=500,
        snap_start=True,
        log_days=30,
        alarms="all",
        traces="all",
        pages=("secret:edgewise/pager", "https://pager.edgewise.dev/alarms"),
        tickets=("on@call.example", "slack:T0AB1/C2CD3"),
        cors_origins=("https://app.example.com", "http://localhost:5173"),
        console_origins=("https://console.example.com",),
        tags={"team": "sensors"},
        batch=BatchSettings(interval_hours=8, hour=21, vcpus=64),
        backup=BackupSettings(region="eu-west-1", interval_hours=6, days=3),
        domain=DomainSettings("api.example.com", ELSEWHERE, alone=True),
        iot=IotSettings(("temp", "Inputs/A")),
        console=ConsoleSettings("console.example.com", "arn:aws:acm:us-east-1:012345678901:certificate/0a-1b"),
    )
    assert found.all_rates == {"everybody": 20, "write": 200, "admin": 200, "ingest": 9000, "import": 4000}


@pytest.mark.parametrize(
    ("given", "hours"),
    [
        ({}, (3,)),
        ({"interval_hours": 12}, (3, 15)),
        ({"interval_hours": 168, "hour": 2}, (2,)),
        ({"interval_hours": 8, "hour": 21}, (5, 13, 21)),
        ({"interval_hours": 4, "hour": 1}, (1, 5, 9, 13, 17, 21)),
    ],
)
def test_checks_begin_at_the_given_hour_and_as_often_as_said(given: dict[str, int], hours: tuple[int, ...]) -> None:
    assert TypeAdapter(BatchSettings).validate_python(given).hours == hours


def test_a_restored_table_of_the_stage_may_be_attached(tmp_path: Path) -> None:
    stream = OTHERS_STREAM.replace("test-2-", "test-")
    assert settings(tmp_path, test=f'restored = "{stream}"').restored == stream
    assert InfraSettings("test").restored is None


def test_by_default_nothing_is_checked() -> None:
    assert InfraSettings("test").batch is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("partails = 1", "partails: Unexpected keyword argument"),
        ("request_burst = 0", "request_burst: Input should be greater than or equal to 1"),
        ("request_burst = 'some'", "request_burst: Input should be a valid integer"),
        ("request_burst = 5001", "request_burst: Input should be less than or equal to 5000"),
        ("push = 'perhaps'", "push: Input should be a valid boolean"),
        ("search = 'perhaps'", "search: Input should be 'embedded' or 'opensearch'"),
        ("emulator_url = 'localhost:4566'", "emulator_url: String should match pattern"),
        ('iot.sparkplug = ["it\'s"]', "iot.sparkplug: String should match pattern"),
        ("outlet = ['orders']", "outlet: Value error, orders is none of audit, bill, invoice, order"),
        ("log_days = 8", "log_days: Input should be 1, 7, 30, 90 or 365"),
        ("account = 111122223333", "account: Input should be a valid string"),
        ("account = '111122223333'", "Value error, account and region belong together"),
        ("production = true", "Value error, production must name its account and region"),
        (PRODUCTION, "Value error, production must have all alarms"),
        (f'{PRODUCTION}\nalarms = "few"', "Value error, production must have all alarms"),
        (f'{PRODUCTION}\nalarms = "all"', "Value error, production must say where alarms are told: pages and tickets"),
        (f'{PRODUCTION}\nalarms = "all"\npages = ["a@b.c"]', "Value error, production must say where alarms are told"),
        (
            f'{PRODUCTION}\nalarms = "all"\ntickets = ["a@b.c"]',
            "Value error, production must say where alarms are told",
        ),
        (f"{PRODUCTION}\n{ALARMED}", "Value error, production must say what it may cost: budget"),
        (f"{PRODUCTION}\n{ALARMED}\nbudget = 100\nfaults = true", "Value error, faults are not for production: nobody"),
        (
            "rehearsed = 9\ncustomer_key = true",
            "Value error, rehearsed: with customer_key, nobody could read what it keeps",
        ),
        ("rehearsed = 0", "rehearsed: Input should be greater than or equal to 1"),
        ("faults = 'some'", "faults: Input should be a valid boolean"),
        ("snap_start = true", "Value error, snap_start needs published versions, which only production has"),
        ("budget = 0", "budget: Input should be greater than or equal to 1"),
        ("budget = 100", "Value error, a budget needs somebody who is told: tickets"),
        ("write_units = 99", "write_units: Input should be greater than or equal to 100"),
        ("read_units = 40001", "read_units: Input should be less than or equal to 40000"),
        ("warm_write_units = 3999", "warm_write_units: Input should be greater than or equal to 4000"),
        ("warm_read_units = 11999", "warm_read_units: Input should be greater than or equal to 12000"),
        ("request_units = 40001", "request_units: Input should be less than or equal to 40000"),
        ("rates = 50", "rates: Input should be a valid"),
        (
            "[rates]\nguests = 50",
            "rates: Value error, guests is none of everybody, write, admin, ingest, import",
        ),
        ("[rates]\ningest = 0", "rates.ingest: Input should be greater than or equal to 1"),
        ("[rates]\neverybody = 40", "Value error, request_units is more than the lowest of the rates brings in 60 s"),
        ("alarms = 'none'", "alarms: Input should be 'all' or 'few'"),
        ("cors_origins = ['*']", "cors_origins: String should match pattern"),
        ("cors_origins = ['https://a.b/']", "cors_origins: String should match pattern"),
        ("console_origins = ['console.example.com']", "console_origins: String should match pattern"),
        *(
            (f"pages = ['{target}']", "pages: String should match pattern")
            for target in (
                "me",
                "http://pager.edgewise.dev",
                "https://pager.edgewise.dev?key=1",
                "slack:general",
                "secret:",
            )
        ),
        ("restored = 'edgewise-test-20261123T054100Z'", "restored: String should match pattern"),
        (f"restored = '{OTHERS_STREAM}'", "Value error, restored must be a table of this stage: edgewise-test- and "),
        ("batch = true", "batch: Input should be a dictionary or an instance of BatchSettings"),
        ("[batch]\ninterval_hours = 5", "batch.interval_hours: Input should be 4, 6, 8, 12, 24 or 168"),
        ("[batch]\nhour = 24", "batch.hour: Input should be less than or equal to 23"),
        ("[batch]\nvcpus = 4", "batch.vcpus: Input should be greater than or equal to 8"),
        ("[batch]\nvcpus = 18", "batch.vcpus: Input should be a multiple of 4"),
        ("[batch]\nhours = 3", "batch.hours: Unexpected keyword argument"),
        ("backup = true", "backup: Input should be a dictionary or an instance of BackupSettings"),
        ("[backup]\ndays = 3", "backup.region: Field required"),
        ("[backup]\nregion = 'eu-west-1'\ninterval_hours = 5", "backup.interval_hours: Input should be 1, 2, 3, 4"),
        ("[backup]\nregion = 'eu-west-1'\ndays = 0", "backup.days: Input should be greater than or equal to 1"),
        ("customer_key = 'mine'", "customer_key: Input should be a valid boolean"),
        ("[domain]\nname = 'api.example.com'", "domain.certificate: Field required"),
        (f"[domain]\nname = 'https://a.b'\ncertificate = '{ELSEWHERE}'", "domain.name: String should match pattern"),
        ("[domain]\nname = 'a.b'\ncertificate = 'mine'", "domain.certificate: String should match pattern"),
        (
            f"[console]\ndomain = 'a.b'\ncertificate = '{HERE}'\n[domain]\nname = 'a.b'\ncertificate = '{ELSEWHERE}'",
            "Value error, domain.name is the console's: give the API one of its own",
        ),
        ("[console]\nweb_acl = 'mine'", "console.web_acl: String should match pattern"),
        (
            "[console]\nweb_acl = 'own'",
            "Value error, console.web_acl: AWS keeps these for CloudFront in us-east-1 alone: give the ARN",
        ),
        (
            "account = '111122223333'\nregion = 'eu-central-1'\n[console]\nweb_acl = 'own'",
            "Value error, console.web_acl: AWS keeps these for CloudFront in us-east-1 alone",
        ),
        ("console = true", "console: Input should be a dictionary or an instance of ConsoleSettings"),
        ("[console]\ndomain = 'a.b'", "console: Value error, domain and certificate belong together"),
        ("[console]\ndomain = 'https://a.b'", "console.domain: String should match pattern"),
        (f"[console]\ncertificate = '{ELSEWHERE}'", "console.certificate: String should match pattern"),
        ("stage = 'other'", "stage: its name is that of the file"),
        ("request_burst =", "Invalid value"),
        ("request_burst = 0\nbudget = 0", "request_burst: Input should be greater than or equal to 1; budget: Input"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InvalidStageError) as refused:
        settings(tmp_path, test=text)
    assert str(refused.value).startswith(f"stages/test.toml: {said}")


def test_stages_may_share_a_file(tmp_path: Path) -> None:
    assert settings(tmp_path, "pr-17", like="preview", preview="log_days = 30") == InfraSettings("pr-17", log_days=30)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "stage test can't be like other: there is no file stages/other.toml"),
        ({"other": "", "test": ""}, "stage test has a file of its own, so it can't be like other"),
        (
            {"other": f"{PRODUCTION}\n{ALARMED}\nbudget = 500"},
            "stage test can't be like other, which is production: give it a file of its own",
        ),
    ],
)
def test_but_not_productions_and_not_beside_their_own(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidStageError, match=said):
        settings(tmp_path, like="other", **files)


@pytest.mark.parametrize("stage", ["prod", "production", "prod-eu"])
def test_production_is_never_a_developers_stage(tmp_path: Path, stage: str) -> None:
    """Its protection would be taken away by a checkout that lacks the file."""
    with pytest.raises(InvalidStageError, match=rf"stage {stage}: there is no file stages/{stage}.toml"):
        settings(tmp_path, stage)


@pytest.mark.parametrize("protected", [True, False])
def test_production_refuses_to_be_deleted_unless_told_otherwise(protected: bool) -> None:
    """CDK deletes a stack whose creation failed before it tries again, and CloudFormation what is in it."""
    app = new_app("prod", protected="yes" if protected else "no")
    build_stacks(app, stages.of_context(app.node))
    stacks = [stack for stack in app.node.children if isinstance(stack, Stack)]
    resources = [one for stack in stacks for one in Template.from_stack(stack).to_json()["Resources"].values()]
    (table,) = [one["Properties"] for one in resources if one["Type"] == "AWS::DynamoDB::GlobalTable"]
    (pool,) = [one["Properties"] for one in resources if one["Type"] == "AWS::Cognito::UserPool"]
    assert {stack.termination_protection for stack in stacks} == {protected}
    assert table["Replicas"][0]["DeletionProtectionEnabled"] is protected
    assert pool["DeletionProtection"] == ("ACTIVE" if protected else "INACTIVE")


def test_the_command_may_say_where_the_console_is_served() -> None:
    assert stages.of_context(new_app("dev", console="http://localhost:5566").node).console_origins == (
        "http://localhost:5566",
    )


def test_the_command_may_say_where_the_local_cloud_is() -> None:
    found = stages.of_context(new_app("local", emulator_url="http://localhost:4577").node)
    assert found.socket_endpoint("abc", "live") == "http://localhost:4577/_aws/execute-api/abc/live"


def test_protection_is_on_or_off() -> None:
    with pytest.raises(InvalidStageError, match="PROTECTED=false: expected yes or no"):
        stages.of_context(new_app("prod", protected="false").node)


def test_production_goes_to_its_own_account_only(prod: Deployment) -> None:
    expected = stages.of_context(new_app("prod").node)
    assert expected.production
    stacks = prod.app.synth().stacks
    assert {(one.environment.account, one.environment.region) for one in stacks} == {
        (expected.account, expected.region)
    }


def test_a_developers_stage_goes_wherever_the_credentials_lead(dev: Deployment) -> None:
    stacks = dev.app.synth().stacks
    assert {(one.environment.account, one.environment.region) for one in stacks} == {
        ("unknown-account", "unknown-region")
    }


def test_every_stack_is_tagged(prod: Deployment) -> None:
    """By the stack, so CloudFormation tags whatever can have tags."""
    assert [dict(one.tags) for one in prod.app.synth().stacks] == [{"project": "edgewise", "stage": "prod"}] * 5


def test_whoever_synthesizes_reads_what_is_wrong_in_one_line() -> None:
    context = json.loads((ROOT / "cdk.json").read_text())["context"] | {"stage": "Alice"}
    env = os.environ | {"CDK_CONTEXT_JSON": json.dumps(context)}
    tried = subprocess.run([sys.executable, "app.py"], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert tried.returncode == 1
    assert tried.stderr.splitlines()[-1].startswith("STAGE=Alice: a stage's name has at most 20 lowercase letters")
    assert "Traceback" not in tried.stderr
