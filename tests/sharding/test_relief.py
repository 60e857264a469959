"""Lists whose writers are throttled: which of them widen, and what callers are told."""

from collections.abc import Callable
from typing import Any

import pytest

from edgewise import clock
from edgewise.dynamodb.table import Table
from edgewise.sharding import listing
from edgewise.sharding.lists import ShardedList
from edgewise.times import EARLIEST
from functions.place import entities
from functions.systems.billing import items as billing_items
from functions.systems.games import keys as games_keys
from functions.systems.graph import keys as graph_keys
from functions.systems.orders.items import ALL_OPEN
from tests.support.http import Answer, Client
from tests.support.throttles import ARN, HOT_INDEX, HOT_TABLE, answered

pytestmark = pytest.mark.usefixtures("handlers")

NOON = 1_535_544_000_000
# A widening counts when whoever remembers an older history has read it again: ten seconds; the request that asked for
# it, and those that began before then, take ten seconds each.
SOON = NOON + 30_000
WRITER = Client("wim", ("write",))
BY_INDEX = (
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically"
    " scaling your index so please try again shortly."
)
BY_TABLE = (
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or"
    " index so please try again shortly."
)


@pytest.fixture(autouse=True)
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOON)
    monkeypatch.setattr("time.sleep", lambda _: None)  # the SDK's pauses


def order() -> Answer:
    return WRITER.call("POST /customers/{customer}/orders", None, {"amount": 1}, customer="c")


def invoice() -> Answer:
    return WRITER.call("PUT /invoices/{invoice}", None, {}, invoice="i")


def play(award: str | None) -> Answer:
    body = {"game": "g", "score": 1, "at": "2018-08-29T12:00:00Z", "award": award}
    return WRITER.call("POST /players/{player}/games", None, body, player="p")


def resident() -> Answer:
    return WRITER.call("PUT /places/entities/{kind}/{id}", None, {"path": ["US", "TX"]}, kind="ROOM", id="r")


def node(*names: str) -> Answer:
    value = {"born": "2018-08-29", "lives_in": ["US"]}
    body = {"attributes": [{"name": name, "value": value.get(name, "x")} for name in names]}
    return WRITER.call("PUT /graph/nodes/{type}/{id}", None, body, type="person", id="n")


LISTS: dict[str, tuple[Callable[[], Answer], ShardedList, str]] = {
    "invoices": (invoice, billing_items.ALL_INVOICES, "GSI1"),
    "orders": (order, ALL_OPEN, "GSI1"),
    "places": (resident, entities("ROOM", "US"), "GSI1"),
    "games": (lambda: play("Champ"), games_keys.award("Champ"), "GSI3"),
}


def history(table: Table, of: ShardedList) -> list[tuple[int, int]]:
    return [(step.since, step.shards) for step in listing.stored(table, [of])[of].history]


def throttling(table: Table, reason: str, resource: str) -> Any:
    """Refuses items that are no history for this reason."""
    body = {
        "__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
        "message": "too much",
        "ThrottlingReasons": [{"reason": reason, "resource": resource}],
    }

    def decide(operation: str, request: Any) -> Any:
        is_entry = operation == "PutItem" and request["Item"]["Type"]["S"] != "LIST_SHARDS"
        return body if is_entry else None

    return answered(table.client, decide)


@pytest.mark.parametrize("system", LISTS)
def test_a_list_whose_index_is_too_hot_doubles_its_shards(
    table: Table, system: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write, of, index = LISTS[system]
    with throttling(table, HOT_INDEX, f"{ARN}/index/{index}"):
        answer = write()
    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
    assert history(table, of) == [(EARLIEST, 1), (SOON, 2)]
    assert '"Widened":[1.0' in capsys.readouterr().out
    with throttling(table, HOT_INDEX, f"{ARN}/index/{index}"):
        write()
    assert history(table, of) == [(EARLIEST, 1), (SOON, 2)]  # that one has to show its effect first
    assert write().status in (200, 201)


@pytest.mark.parametrize("system", LISTS)
@pytest.mark.parametrize(
    ("reason", "resource"),
    [
        (HOT_TABLE, ARN),
        (HOT_INDEX, f"{ARN}/index/GSI2"),
        (HOT_INDEX, f"{ARN}/index/GSI13"),
        ("IndexWriteAccountLimitExceeded", "{}/index/{}"),
        ("IndexWriteMaxOnDemandThroughputExceeded", "{}/index/{}"),
    ],
)
def test_no_list_widens_for_what_more_shards_do_not_help(table: Table, system: str, reason: str, resource: str) -> None:
    write, of, index = LISTS[system]
    with throttling(table, reason, resource.format(ARN, index)):
        assert write().status == 503
    assert history(table, of) == [(EARLIEST, 1)]


def test_a_play_without_an_award_asks_no_list(table: Table) -> None:
    with throttling(table, HOT_INDEX, f"{ARN}/index/GSI3"):
        assert play(None).status == 503
    sent: list[str] = []
    with answered(table.client, lambda operation, _: sent.append(operation)):
        assert play(None).status == 201
    assert "BatchGetItem" not in sent


def test_a_history_that_cannot_be_stored_either_leaves_the_answer(table: Table) -> None:
    write, of, index = LISTS["orders"]
    reasons = [{"reason": HOT_INDEX, "resource": f"{ARN}/index/{index}"}]
    body = {
        "__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
        "message": "too much",
        "ThrottlingReasons": reasons,
    }
    with answered(table.client, lambda operation, _: body if operation == "PutItem" else None):
        assert write().status == 503
    assert history(table, of) == [(EARLIEST, 1)]


def canceling(table: Table, reasons: Callable[[Any], dict[str, str]]) -> Any:
    """Cancels transactions, with these reasons for the items put."""

    def decide(operation: str, request: Any) -> Any:
        if operation != "TransactWriteItems":
            return None
        given = [reasons(act["Put"]["Item"]) if "Put" in act else {"Code": "None"} for act in request["TransactItems"]]
        name = "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"
        return {"__type": name, "Message": "canceled", "CancellationReasons": given}

    return answered(table.client, decide)


def of_kinds(message: str, *kinds: str) -> Callable[[Any], dict[str, str]]:
    def reasons(item: Any) -> dict[str, str]:
        hot = item["Type"]["S"] == "NODE_ATTRIBUTE" and item["SK"]["S"].split("#")[1] in kinds
        return {"Code": "ThrottlingError", "Message": message} if hot else {"Code": "None"}

    return reasons


def shards(table: Table) -> dict[str, int]:
    lists = {name: graph_keys.attributes_of(name) for name in ("born", "name", "lives_in", "skill")}
    return {name: listing.stored(table, [of])[of].shards for name, of in lists.items()}


def test_of_a_nodes_attributes_those_that_were_throttled_widen_their_lists(table: Table) -> None:
    with canceling(table, of_kinds(BY_INDEX, "skill", "lives_in")):
        answer = node("skill", "born", "lives_in", "name")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
    assert shards(table) == {"born": 1, "name": 1, "lives_in": 2, "skill": 2}
    assert node("skill", "born", "lives_in", "name").status == 200


def test_attributes_that_are_removed_widen_nothing(table: Table) -> None:
    """More shards do not help the one from which they go."""
    assert node("skill").status == 200
    hot = {"Code": "ThrottlingError", "Message": BY_INDEX}

    def decide(operation: str, request: Any) -> Any:
        if operation != "TransactWriteItems":
            return None
        given = [hot if "Delete" in act else {"Code": "None"} for act in request["TransactItems"]]
        name = "com.amazonaws.dynamodb.v20120810#TransactionCanceledException"
        return {"__type": name, "Message": "canceled", "CancellationReasons": given}

    with answered(table.client, decide):
        assert node("name").status == 503
    assert set(shards(table).values()) == {1}


def test_a_throttled_table_widens_no_list_of_attributes(table: Table) -> None:
    with canceling(table, of_kinds(BY_TABLE, "skill")):
        assert node("skill").status == 503
    assert set(shards(table).values()) == {1}


def test_a_transaction_that_only_conflicts_widens_nothing(table: Table) -> None:
    with canceling(table, lambda _: {"Code": "TransactionConflict", "Message": BY_INDEX}):
        assert node("skill").status == 503
    assert set(shards(table).values()) == {1}
