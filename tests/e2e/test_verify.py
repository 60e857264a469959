"""`make verify` on a deployment: what is exact, what was planted, what it leaves, and which rights it takes."""

import json
import re
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from edgewise.aggregates.keys import SUMMARY
from edgewise.dynamodb.keys import Key
from functions.systems.chat import keys as chat_keys
from ops.recounting.facts import Name
from tests.e2e.breaking import count_one_more
from tests.e2e.conftest import Deployment
from verify import run as runs
from verify.facts import Difference
from verify.probing import ASSUMPTIONS
from verify.shares import shares
from verify.target import Target, on_cloud

PAGE = (Path(__file__).parents[2] / "docs" / "verifying.md").read_text()
# The actions in the page's table.
RIGHTS = {
    action for line in PAGE.splitlines() if line[:1] == "|" for action in re.findall(r"`([a-z-]+:[A-Z]\w+)`", line)
}
FEW = 200
# What IAM calls an operation whose name is not that of its action.
ACTIONS = {
    "dynamodb:TransactWriteItems": "dynamodb:PutItem",
    "dynamodbstreams": "dynamodb",
    "lambda:Invoke": "lambda:InvokeFunction",
}


class Asked:
    """A deployment, and the IAM action behind every request that is sent to it."""

    def __init__(self, deployment: Deployment) -> None:
        found = on_cloud(deployment.cloud)
        self.actions: set[str] = set()
        self.target = Target(
            found.stage, lambda service: self._client(found.client, service), found.outputs, found.api_url
        )

    def _client(self, make: Callable[[str], Any], service: str) -> Any:
        client = make(service)

        def note(model: Any, params: Any, **_: object) -> None:
            self.actions |= _actions(service, model.name, params["body"])

        client.meta.events.register("before-call", note)
        return client


def _actions(service: str, operation: str, body: Any) -> set[str]:
    if operation == "BatchExecuteStatement":
        return {
            f"dynamodb:PartiQL{each['Statement'].split()[0].capitalize()}" for each in json.loads(body)["Statements"]
        }
    name = f"{ACTIONS.get(service, service)}:{operation}"
    return {ACTIONS.get(name, name)}


def verified(target: Target) -> tuple[int, list[str]]:
    """The status of a run, and the lines that it printed."""
    printed = StringIO()
    status = runs.run(target, Console(file=printed, width=400), seed=1, events=FEW)
    return status, printed.getvalue().splitlines()


def test_a_deployment_is_exact_and_what_can_be_removed_is(deployment: Deployment) -> None:
    asked = Asked(deployment)
    status, lines = verified(asked.target)
    assert (status, lines[-1]) == (0, "verify: exact"), "\n".join(lines)
    told = [row.group(1) for line in lines if (row := re.match(r"\| ([a-z-]+) +\| (?:holds|differs|not obs)", line))]
    assert told == list(ASSUMPTIONS)
    assert not any("the probe failed" in line for line in lines)
    # The local cloud's stacks are known without asking.
    assert asked.actions | {"cloudformation:DescribeStacks"} == RIGHTS
    assert not users(deployment)
    assert deployment.table.get(Key(corner_of(lines[0]), "scratch")) is None


def test_a_wrong_number_is_named_and_nothing_else(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    planted: list[Name] = []

    def plant(target: Target, names: Sequence[Name], done: Callable[[int], None]) -> list[Difference]:
        """Before the deployment recounts, when all has arrived."""
        planted.append(next(name for name in names if name.kind == "USER"))
        count_one_more(deployment.table, Key(chat_keys.user(str(planted[0].about[0])), SUMMARY), "Messages")
        return recounted(target, names, done)

    recounted = runs.recounted
    only(monkeypatch, "chat")
    monkeypatch.setattr(runs, "recounted", plant)
    monkeypatch.setattr(runs, "LAG_SECONDS", 1)
    monkeypatch.setattr("verify.probes.probed", lambda *_: [])
    status, lines = verified(on_cloud(deployment.cloud))
    assert status == 1
    assert lines[-1] == "verify: 2 differences in 1 aggregates"
    wrong = [line for line in lines if "expected" in line]
    assert [line.partition(":")[0] for line in wrong] == [str(planted[0])] * 2
    assert sorted(line.rpartition("(")[2] for line in wrong) == ["by the deployment's recount)", "through the API)"]


def test_interrupted_it_removes_what_it_has_made(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> list[Difference]:
        raise KeyboardInterrupt

    only(monkeypatch, "places")
    monkeypatch.setattr(runs, "settled", interrupt)
    printed = StringIO()
    with pytest.raises(KeyboardInterrupt):
        runs.run(on_cloud(deployment.cloud), Console(file=printed, width=400), seed=1, events=FEW)
    corner = corner_of(printed.getvalue())
    root = {"path": f"{corner}-home", "kind": "EQUIPMENT"}
    assert deployment.api("guest").get("places", "entities", **root)["entities"] == []
    assert not users(deployment)


def only(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    """Let runs send what one system has to send."""
    monkeypatch.setattr(runs, "shares", lambda *about: [share for share in shares(*about) if share.name == system])


def corner_of(printed: str) -> str:
    found = re.search(r"verify-[0-9a-f]{8}", printed)
    assert found
    return found.group()


def users(deployment: Deployment) -> list[str]:
    """The runs' users that are in the pool."""
    pool = deployment.outputs["UserPoolId"]
    found = deployment.cloud.client("cognito-idp").list_users(UserPoolId=pool)["Users"]
    return [user["Username"] for user in found if user["Username"].startswith("verify-")]
