"""The topic of alerts: in order, encrypted on its way, and the cascade's alone to publish to."""

import json

from tests.infra.conftest import Deployment


def test_it_keeps_the_order_and_drops_what_comes_twice(prod: Deployment) -> None:
    (topic,) = prod.cascade.find_resources("AWS::SNS::Topic").values()
    properties = topic["Properties"]
    assert properties["FifoTopic"] is True
    assert properties["TopicName"].endswith(".fifo")
    # Whatever has another id is another message, however alike it is.
    assert not properties.get("ContentBasedDeduplication")


def test_nobody_publishes_without_tls(prod: Deployment) -> None:
    (policy,) = prod.cascade.find_resources("AWS::SNS::TopicPolicy").values()
    (denied,) = policy["Properties"]["PolicyDocument"]["Statement"]
    assert denied["Effect"] == "Deny"
    assert denied["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_only_the_cascade_may_publish(prod: Deployment) -> None:
    (topic,) = prod.cascade.find_resources("AWS::SNS::Topic")
    allowed = [
        statement
        for policy in prod.resources("AWS::IAM::Policy").values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if "sns:" in json.dumps(statement["Action"])
    ]
    assert [(one["Action"], one["Resource"]) for one in allowed] == [("sns:Publish", {"Ref": topic})]


def test_the_output_names_it(prod: Deployment) -> None:
    (topic,) = prod.cascade.find_resources("AWS::SNS::Topic")
    (output,) = prod.cascade.find_outputs("AlertTopicArn").values()
    assert output["Value"] == {"Ref": topic}
