"""The stack of AWS IoT: as whom a thing may publish, what its rules may do, and where that goes which they can't do."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from infra.iot import sql
from tests.infra import iam
from tests.infra.conftest import THINGS, Deployment
from tests.support.iot_sql import evaluated

VARIABLE = "${iot:Connection.Thing.ThingName}"
MESSAGE = '{"at": "2018-08-29T12:00:00Z", "timestamp": 0, "metrics": []}'


def of_type(stage: Deployment, kind: str) -> Sequence[Mapping[str, Any]]:
    assert stage.iot
    return [each["Properties"] for each in stage.iot.find_resources(kind).values()]


def rules(stage: Deployment) -> Mapping[str, Mapping[str, Any]]:
    return {each["RuleName"]: each["TopicRulePayload"] for each in of_type(stage, "AWS::IoT::TopicRule")}


def may(stage: Deployment, action: str, resource: str, thing: str | None) -> bool:
    """Whether the policy lets a connection do this, decided as AWS IoT does: `*` is any text, and conditions hold.

    `thing`: that of the certificate which the connection has shown, if that is its client id; None: there is none. A
    variable that has no value allows nothing (thing-policy-variables.html).
    """
    (policy,) = of_type(stage, "AWS::IoT::Policy")
    for one in policy["PolicyDocument"]["Statement"]:
        assert one["Effect"] == "Allow"
        assert one["Condition"] == {"Bool": {"iot:Connection.Thing.IsAttached": "true"}}
        for named in iam.listed(one["Resource"]):
            pattern = named.removeprefix("arn:aws:iot:us-east-1:111122223333:").replace(VARIABLE, thing or VARIABLE)
            wanted = re.escape(pattern).replace(re.escape("*"), ".*")
            if thing and one["Action"] == action and re.fullmatch(wanted, resource):
                return True
    return False


TOPICS = [
    "edgewise/prod/readings/{}",
    "$aws/rules/edgewise_prod_readings/edgewise/prod/readings/{}",
    "spBv1.0/edgewise-prod/DDATA/{}/oven",
]


def test_a_stage_without_it_has_nothing_of_it(prod: Deployment, dev: Deployment) -> None:
    for stage in (prod, dev):
        assert stage.iot is None
        assert not stage.resources("AWS::IoT::TopicRule")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_thing_publishes_under_its_own_name_alone(checked: Deployment, topic: str) -> None:
    own, others = (f"topic/{topic.format(name)}" for name in ("pump-7", "pump-8"))
    assert may(checked, "iot:Publish", own, "pump-7")
    assert not may(checked, "iot:Publish", others, "pump-7")
    assert not may(checked, "iot:Publish", own, "pump"), "nor under one that begins so"
    assert not may(checked, "iot:Publish", own, None)


def test_it_connects_under_its_own_name_and_does_nothing_else(checked: Deployment) -> None:
    assert may(checked, "iot:Connect", "client/pump-7", "pump-7")
    assert not may(checked, "iot:Connect", "client/pump-8", "pump-7")
    assert not may(checked, "iot:Connect", "client/pump-7", None)
    for action in ("iot:Subscribe", "iot:Receive", "iot:RetainPublish"):
        assert not may(checked, action, "topic/edgewise/prod/readings/pump-7", "pump-7")


@pytest.mark.parametrize("topic", TOPICS)
def test_what_it_publishes_is_its_own(checked: Deployment, topic: str) -> None:
    """Of all rules, one is for the topic; and it takes the device from where the policy has the thing's name."""
    bodies = [evaluated(each["Sql"], topic.format("pump-7"), MESSAGE) for each in rules(checked).values()]
    ((event,),) = (json.loads(body)["events"] for body in bodies if body)
    assert event["device_id"].split(".")[0] == "pump-7"


def test_rules_fill_the_telemetry_queue_and_set_aside_what_they_can_not_put_there(checked: Deployment) -> None:
    found = rules(checked)
    assert {name: each["Sql"] for name, each in found.items()} == {
        "edgewise_prod_readings": sql.readings("prod"),
        "edgewise_prod_sparkplug": sql.sparkplug("prod", THINGS.sparkplug),
    }
    for name, each in found.items():
        assert re.fullmatch("[A-Za-z0-9_]{1,128}", name)
        assert each["AwsIotSqlVersion"] == "2016-03-23"
        sent, aside = each["Actions"], [each["ErrorAction"]]
        for actions, part in ((sent, "Reftelemetryqueue[0-9A-F]"), (aside, "Reftelemetryqueuedead")):
            (action,) = actions
            assert action.keys() == {"Sqs"}
            assert re.search(part, action["Sqs"]["QueueUrl"]["Fn::ImportValue"])
            assert action["Sqs"]["UseBase64"] is False


def test_its_role_may_send_to_these_queues_for_these_rules(checked: Deployment) -> None:
    (policy,) = of_type(checked, "AWS::IAM::Policy")
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert (statement["Action"], statement["Effect"]) == ("sqs:SendMessage", "Allow")
    assert sorted(map(iam.resource_name, statement["Resource"])) == ["telemetryqueue", "telemetryqueuedead"]
    (role,) = of_type(checked, "AWS::IAM::Role")
    assert "ManagedPolicyArns" not in role
    (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert trust["Principal"] == {"Service": "iot.amazonaws.com"}
    assert trust["Condition"]["StringEquals"] == {"aws:SourceAccount": "111122223333"}
    for name in rules(checked):
        assert f"rule/{name}" in json.dumps(trust["Condition"]["ArnEquals"])


def test_a_rule_is_made_when_its_role_may_send(checked: Deployment) -> None:
    assert checked.iot
    (policy,) = checked.iot.find_resources("AWS::IAM::Policy")
    for each in checked.iot.find_resources("AWS::IoT::TopicRule").values():
        assert policy in each["DependsOn"]


def test_it_can_be_turned_off(checked: Deployment, prod: Deployment) -> None:
    """The API's stack is deployed first, and CloudFormation keeps what the rules still import."""
    assert checked.iot
    imported = set(re.findall('"Fn::ImportValue": "([^"]+)"', json.dumps(checked.iot.to_json())))
    outputs = prod.api.to_json()["Outputs"].values()
    assert imported <= {each["Export"]["Name"] for each in outputs if "Export" in each}
    assert len(imported) == 4
