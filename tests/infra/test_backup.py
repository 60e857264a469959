"""Copies of the table in another region: what is planned, what is missed, what is refused before."""

from dataclasses import replace
from typing import Any

import pytest
from aws_cdk.assertions import Template
from cdk_nag import AwsSolutionsChecks

from infra.backup.settings import BackupSettings
from infra.preflight import problems
from infra.settings import InfraSettings
from infra.table import TableStack
from tests.infra.conftest import Deployment, new_app
from tests.infra.test_preflight import DEV, USUAL

ALARM = "AWS::CloudWatch::Alarm"
SIX_HOURS = BackupSettings(region="eu-west-1", interval_hours=6, days=3)


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> TableStack:
    app = new_app("dev", outdir=str(tmp_path_factory.mktemp("backup")))
    return TableStack(app, "table", InfraSettings("dev", backup=SIX_HOURS))


@pytest.fixture(scope="module")
def template(stack: TableStack) -> Template:
    return Template.from_stack(stack)


def the_only(template: Template, kind: str) -> Any:
    (found,) = template.find_resources(kind).values()
    return found["Properties"]


def test_no_stage_copies_unless_it_asks_for_it(prod: Deployment) -> None:
    assert not prod.resources("AWS::Backup::BackupPlan")


def test_the_table_is_copied_as_often_as_asked_and_kept_elsewhere_as_long(template: Template) -> None:
    (rule,) = the_only(template, "AWS::Backup::BackupPlan")["BackupPlan"]["BackupPlanRule"]
    assert rule["ScheduleExpression"] == "cron(0 0/6 * * ? *)"
    (copy,) = rule["CopyActions"]
    where = copy["DestinationBackupVaultArn"]["Fn::Join"][1]
    assert (where[-3], where[-1]) == (":backup:eu-west-1:", ":backup-vault:edgewise-dev")
    assert copy["Lifecycle"] == {"DeleteAfterDays": 3}
    assert (rule["TargetBackupVault"], rule["Lifecycle"]) == ("edgewise-dev", {"DeleteAfterDays": 1})
    assert SIX_HOURS.kept == 12


def test_nothing_else_is_copied(template: Template) -> None:
    (table,) = template.find_resources("AWS::DynamoDB::GlobalTable")
    selection = the_only(template, "AWS::Backup::BackupSelection")["BackupSelection"]
    assert selection["Resources"] == [{"Fn::GetAtt": [table, "Arn"]}]


def test_no_stack_owns_a_vault_so_that_copies_outlive_the_stage_and_its_region(template: Template) -> None:
    assert not template.find_resources("AWS::Backup::BackupVault")


@pytest.mark.parametrize(("interval", "hours"), [(1, 7), (6, 12), (24, 30)])
def test_copies_are_missed_six_hours_after_one_is_due(interval: Any, hours: int) -> None:
    app = new_app("dev")
    stack = TableStack(app, "table", InfraSettings("dev", backup=replace(SIX_HOURS, interval_hours=interval)))
    alarms = [each["Properties"] for each in Template.from_stack(stack).find_resources(ALARM).values()]
    (missing,) = (each for each in alarms if each["AlarmName"] == "edgewise-dev-copies-missing")
    assert (missing["Period"], missing["EvaluationPeriods"], missing["DatapointsToAlarm"]) == (3600, hours, hours)
    assert (missing["Namespace"], missing["MetricName"]) == ("AWS/Backup", "NumberOfCopyJobsCompleted")
    assert missing["Dimensions"] == [{"Name": "BackupVaultName", "Value": "edgewise-dev"}]


def test_no_finding_is_left_open(stack: TableStack) -> None:
    assert AwsSolutionsChecks(stack.node.root).validate_scope(stack.node.root).success


def test_a_plan_without_vaults_or_into_its_own_region_is_refused_with_the_way_out() -> None:
    asked = replace(DEV, backup=SIX_HOURS)
    assert list(problems(asked, USUAL)) == []
    (problem,) = problems(asked, replace(USUAL, without_vaults=("eu-central-1", "eu-west-1")))
    assert problem.fatal
    assert problem.text == "backup: no vault edgewise-dev in eu-central-1, eu-west-1: make bootstrap STAGE=dev"
    (problem,) = problems(replace(DEV, backup=BackupSettings(region="eu-central-1")), USUAL)
    assert problem.fatal
    assert problem.text.startswith("backup.region: eu-central-1 is the stage's own, and copies there are lost with it")
