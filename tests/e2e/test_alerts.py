"""An alert on the deployed application: a queue of the account hears of each crossing once, and the API lists it."""

import json
from functools import partial
from typing import Any

from ops.processes import wait_until
from tests.e2e.conftest import Client, Deployment

SECONDS = 180


class Heard:
    """A queue that subscribes to the topic of alerts, and what it has heard."""

    def __init__(self, deployment: Deployment) -> None:
        self._sqs = deployment.cloud.client("sqs")
        self._url = self._sqs.create_queue(QueueName="heard.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
        arn = self._sqs.get_queue_attributes(QueueUrl=self._url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        topic = deployment.outputs["AlertTopicArn"]
        self._sqs.set_queue_attributes(QueueUrl=self._url, Attributes={"Policy": json.dumps(letting(topic, arn))})
        deployment.cloud.client("sns").subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
        self.told: list[dict[str, Any]] = []

    def changes(self, of: str) -> list[tuple[str, str]]:
        """The changes of the alerts about a business, in order."""
        found = self._sqs.receive_message(QueueUrl=self._url, MaxNumberOfMessages=10).get("Messages", [])
        for message in found:
            self.told.append(json.loads(json.loads(message["Body"])["Message"]))
            self._sqs.delete_message(QueueUrl=self._url, ReceiptHandle=message["ReceiptHandle"])
        return [(told["alert"], told["change"]) for told in self.told if told["dimensions"][0] == ["business", of]]


def test_each_crossing_is_heard_once_and_listed_while_it_lasts(
    deployment: Deployment, app: Client, guest: Client
) -> None:
    service, business = ("service", "alerted"), ("business", "alerted")
    for node in (("host", "alerted"), service, business):
        app.put("graph", "nodes", *node, body={"attributes": []})
    app.put("graph", "edges", "host", "alerted", "RUNS", *service, body={})
    app.put("graph", "edges", *service, "PART_OF", *business, body={})
    heard = Heard(deployment)
    changes: list[tuple[str, str]] = []
    for state, change in (("down", "raised"), ("up", "cleared"), ("down", "raised")):
        app.put("graph", "nodes", "host", "alerted", "state", body={"state": state, "measures": {}})
        changes.append(("down", change))
        wait_until(lambda: heard.changes("alerted") == changes, SECONDS, f"{changes}; heard: {heard.told}")
        raised = change == "raised"
        wait_until(partial(is_listed, guest, raised), SECONDS, f"a list in which it is: {raised}")
    assert len({told["id"] for told in heard.told}) == len(heard.told)


def letting(topic: str, queue: str) -> dict[str, Any]:
    """The policy by which a queue takes what the topic sends, as docs/alerts.md says."""
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": "sns.amazonaws.com"},
        "Action": "sqs:SendMessage",
        "Resource": queue,
        "Condition": {"ArnEquals": {"aws:SourceArn": topic}},
    }
    return {"Version": "2012-10-17", "Statement": [statement]}


def is_listed(guest: Client, raised: bool) -> bool:
    found = [each for each in guest.get("alerts")["alerts"] if each["dimensions"][0] == ["business", "alerted"]]
    return bool(found) is raised
