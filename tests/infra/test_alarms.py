"""Which alarms a stage has, whom they tell, and what they say. When they ring: test_alarms_ring.py."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aws_cdk.assertions import Template

from functions.routes import ROUTES
from infra import stages
from infra.table import TableStack
from infra.watches import CAUSES, GATHERED, WATCHES, Cause, Severity, Watch
from tests.infra import iam
from tests.infra.alarm_world import alarms_of
from tests.infra.conftest import CHECKED, COPIED, Deployment, new_app
from tests.support.cloudwatch import watched

ROOT = Path(__file__).parents[2]
# What an alarm that tells what to do first may begin with: commands of make and of AWS, queries of Logs Insights.
FIRST = r"make ([a-z]+) ON=STAGE|aws [a-z]+ [a-z-]+ |filter "
DECLARED: Mapping[str, Watch | Cause] = {**WATCHES, **CAUSES}
FEW = {
    *("consumer-silent", "cascade-silent", "readers-behind", "readers-late", "consumer-lost", "cascade-lost"),
    *("quarantine", "aggregates-lack", "telemetry-given-up"),
}
OF_CHECKS = {"table-differs", "checks-missing"}
# Of what production's file does not have.
OF_OPTIONS = {"push-failing", "search-lacks", "copies-missing"}


def names(deployment: Deployment, stage: str) -> set[str]:
    return {name.removeprefix(f"edgewise-{stage}-") for name in alarms_of(deployment)}


def test_production_has_at_most_25_alarms_whatever_it_has(prod: Deployment, checked: Deployment) -> None:
    """Composite ones count, too, and so does what only releases look at."""
    assert names(checked, "prod") == {*WATCHES, *CAUSES}
    assert len(names(checked, "prod")) <= 25
    assert names(prod, "prod") == names(checked, "prod") - OF_OPTIONS


def test_a_developers_stage_has_those_of_wrong_late_or_lost_numbers(
    dev: Deployment, deployment: Callable[..., Deployment]
) -> None:
    assert names(dev, "dev") == FEW
    assert names(deployment("dev", CHECKED), "dev") == FEW | OF_CHECKS
    assert names(deployment("dev", backup=COPIED), "dev") == FEW | {"copies-missing"}


def test_the_emulator_gets_what_it_knows(local: Deployment) -> None:
    """It refuses metric math, and knows no composite alarms and no copies."""
    assert names(local, "local") == {
        *(name for name, watch in WATCHES.items() if not watch.rule.math),
    } - {"release-failing", "copies-missing"}


def test_who_is_told_that_an_alarm_rings_is_told_that_it_is_over(checked: Deployment) -> None:
    topics = {Severity.PAGE: "alarmspage", Severity.TICKET: "alarmsticket"}
    for name, alarm in alarms_of(checked).items():
        short = name.removeprefix("edgewise-prod-")
        severity = DECLARED[short].severity
        told = [re.sub("^table/|[0-9A-F]{8}$", "", each) for each in alarm.get("AlarmActions", ())]
        assert told == ([topics[severity]] if severity in topics and short not in GATHERED else []), name
        assert alarm.get("OKActions", []) == alarm.get("AlarmActions", [])
        assert "InsufficientDataActions" not in alarm


def test_an_alarm_says_what_to_do_first_and_where_to_read_on(checked: Deployment) -> None:
    commands = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for name, alarm in alarms_of(checked).items():
        declared = DECLARED[name.removeprefix("edgewise-prod-")]
        first = re.match(FIRST, declared.first)
        assert first, name
        assert first[1] is None or first[1] in commands
        page, _, section = declared.then.partition("#")
        headings = re.findall(r"^#+ (.+)$", (ROOT / "docs" / page).read_text(), re.MULTILINE)
        assert not section or section in {_anchor(each) for each in headings}, section
        text = alarm["AlarmDescription"]
        assert text.endswith(f"First: {declared.first.replace('STAGE', 'prod')}. Then: docs/{declared.then}")
        assert len(text) <= 1024


def _anchor(heading: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def test_cloudwatch_takes_each_alarm(checked: Deployment) -> None:
    """Ten metrics in math, all of one period; and a week of periods, if these take an hour, or a day."""
    for name, alarm in alarms_of(checked).items():
        if "AlarmRule" in alarm:
            continue
        assert len(watched(alarm)) <= 10, name
        periods = (
            {alarm["Period"]}
            if "Period" in alarm
            else {each["MetricStat"]["Period"] for each in alarm["Metrics"] if "MetricStat" in each}
        )
        (seconds,) = periods
        assert seconds * alarm["EvaluationPeriods"] <= (7 * 86_400 if seconds >= 3600 else 86_400)
        assert 1 <= alarm["DatapointsToAlarm"] <= alarm["EvaluationPeriods"]


def test_a_composite_alarm_is_made_after_what_it_names(checked: Deployment) -> None:
    for template in checked.templates:
        kinds = "AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm"
        alarms = {key: each for kind in kinds for key, each in template.find_resources(kind).items()}
        made = {each["Properties"]["AlarmName"]: key for key, each in alarms.items()}
        for each in template.find_resources("AWS::CloudWatch::CompositeAlarm").values():
            named = re.findall('ALARM."([^"]+)"', each["Properties"]["AlarmRule"])
            assert {made[name] for name in named if name in made} <= set(each["DependsOn"])


def told(targets: dict[str, Any]) -> Template:
    app = new_app("dev")
    return Template.from_stack(TableStack(app, "table", replace(stages.of_context(app.node), **targets)))


def test_mail_and_endpoints_subscribe_and_no_template_has_a_secret() -> None:
    template = told(
        {"pages": ("secret:edgewise/pager", "a@b.c"), "tickets": ("https://tickets.edgewise.dev/new", "a@b.c")}
    )
    found = [each["Properties"] for each in template.find_resources("AWS::SNS::Subscription").values()]
    assert sorted(
        (re.findall("page|ticket", each["TopicArn"]["Ref"])[0], each["Protocol"], each["Endpoint"]) for each in found
    ) == [
        ("page", "email", "a@b.c"),
        ("page", "https", "{{resolve:secretsmanager:edgewise/pager:SecretString:::}}"),
        ("ticket", "email", "a@b.c"),
        ("ticket", "https", "https://tickets.edgewise.dev/new"),
    ]


def test_a_channel_is_configured_once_for_all_that_it_is_told() -> None:
    template = told({"pages": ("slack:T0AB1/C1",), "tickets": ("slack:T0AB1/C1", "slack:T0AB1/C2")})
    found = [each["Properties"] for each in template.find_resources("AWS::Chatbot::SlackChannelConfiguration").values()]
    topics = {
        each["SlackChannelId"]: [re.findall("page|ticket", topic["Ref"])[0] for topic in each["SnsTopicArns"]]
        for each in found
    }
    assert topics == {"C1": ["page", "ticket"], "C2": ["ticket"]}
    assert all(each["GuardrailPolicies"] == ["arn:aws:iam::aws:policy/CloudWatchReadOnlyAccess"] for each in found)
    assert template.find_resources("AWS::IAM::Policy") == {}, "who is in the channel may do nothing"


@pytest.mark.parametrize(("topic", "services"), [("page", ["cloudwatch"]), ("ticket", ["budgets", "cloudwatch"])])
def test_nobody_but_these_services_may_publish(prod: Deployment, topic: str, services: list[str]) -> None:
    (policy,) = (
        each["Properties"]["PolicyDocument"]["Statement"]
        for each in prod.table.find_resources("AWS::SNS::TopicPolicy").values()
        if topic in each["Properties"]["Topics"][0]["Ref"]
    )
    (allowed,) = (each for each in policy if each["Effect"] == "Allow")
    assert iam.listed(allowed["Principal"]["Service"]) == [f"{each}.amazonaws.com" for each in services]
    assert allowed["Action"] == "sns:Publish"
    assert allowed["Condition"] == {"StringEquals": {"aws:SourceAccount": "111122223333"}}


def test_refusals_are_counted_from_the_status_of_the_access_log(prod: Deployment) -> None:
    (stage,) = prod.api.find_resources("AWS::ApiGatewayV2::Stage").values()
    access_log = stage["Properties"]["AccessLogSettings"]
    assert json.loads(access_log["Format"])["status"] == "$context.status"
    filters = [one["Properties"] for one in prod.api.find_resources("AWS::Logs::MetricFilter").values()]
    counted = {one["FilterPattern"]: one["MetricTransformations"][0] for one in filters}
    assert {to["MetricNamespace"] for to in counted.values()} == {"Edgewise/prod"}
    assert {pattern: (to["MetricName"], to["MetricValue"]) for pattern, to in counted.items()} == {
        '{ $.status = "401" }': ("Unauthorized", "1"),
        '{ $.status = "403" }': ("Forbidden", "1"),
        '{ $.status = "429" }': ("TooManyRequests", "1"),
    }
    for one in filters:
        assert one["LogGroupName"]["Ref"] in json.dumps(access_log["DestinationArn"])


def test_every_system_is_watched_for_items_that_it_leaves_out(prod: Deployment) -> None:
    """By one alarm, on the name under which all of them count."""
    (alarm,) = prod.api.find_resources(
        "AWS::CloudWatch::Alarm", {"Properties": {"MetricName": "ItemsLeftOut"}}
    ).values()
    functions = (one["Environment"]["Variables"] for name, one in prod.functions().items() if name in ROUTES)
    (counting,) = {each["POWERTOOLS_SERVICE_NAME"] for each in functions}
    assert alarm["Properties"]["Dimensions"] == [{"Name": "service", "Value": counting}]
