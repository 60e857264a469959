"""What operators ask the consumer of somebody's own table, and what it answers."""

import json
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import boto3
import pytest

from delivery import window_event
from edgewise import consumer
from edgewise.aggregates import keys
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.recounts import going_on, reading
from edgewise.aggregates.recounts.attributes import RECOUNTING
from edgewise.own.errors import WrongStreamError
from edgewise.stream import incomplete, lost
from edgewise.views.view import kept
from tests.own.orders import OWN, PAID, cancel, name, order, views
from tests.support.http import Context
from tests.support.own_tables import NAME, Shop, deployed

BUCKET = "given-up"
# A release that can't read orders without a state; and the one after it, whose view is the same.
STRICT, CUSTOMERS = views(strict=True).customers, views().customers
KIND = name(CUSTOMERS)


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with deployed(OWN, STRICT) as made:
        yield made


def told(shop: Shop) -> tuple[int, int, bool]:
    found = CUSTOMERS.get(shop.table, customer="ann")
    return found.orders, int(found.euros), found.complete


def test_what_a_release_can_not_read_is_set_aside_and_applied_by_the_next(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20)
        order(shop, 3, 40, **PAID)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        assert aside["error"] == f"{KIND}: ValueError: state is not there"
        assert told(shop)[:2] == (2, 50)
        assert shop.command(do="apply") | {"malformed": []} == {"applied": 0, "malformed": [], "left": 1}
        shop.deploy(CUSTOMERS)
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        shop.drain()
    assert told(shop) == (3, 70, True)
    assert shop.command(do="list") == {"records": [], "count": 0, "incomplete": [], "doubted": [], "fills": []}


def test_what_nobody_will_ever_understand_is_discarded(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20)
    (aside,) = shop.command(do="list")["records"]
    assert shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"]) == {"discarded": 1}
    assert shop.command(do="list")["count"] == 0
    assert told(shop)[:2] == (1, 10)


def test_what_was_discarded_is_not_set_aside_by_the_next_windows(shop: Shop) -> None:
    """Each begins with no state, and reads its shard again behind the position; nobody has redriven anything."""
    with shop.delivered():
        order(shop, 2, 20)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        shop.command(do="discard", shard=aside["shard"], sequence=aside["sequence"])
        for number in range(3, 9):  # in all shards
            order(shop, number, 10, **PAID)
        shop.drain()
        assert shop.command(do="list")["records"] == []
        assert told(shop)[:2] == (6, 60)


@pytest.fixture
def bucket(shop: Shop) -> Iterator[Any]:
    lost.client.cache_clear()
    client = boto3.client("s3")
    client.create_bucket(Bucket=BUCKET)
    yield client
    lost.client.cache_clear()


def give_up(shop: Shop, bucket: Any, records: list[Any]) -> None:
    """Let the mapping give records up, as Lambda does after 23 hours."""
    shard = shop.streams[NAME].shards[0].id
    event = window_event(shard, records)
    payload = {"requestContext": {"condition": "RecordAgeExceeded"}, "payload": json.dumps(event)}
    bucket.put_object(Bucket=BUCKET, Key="some", Body=json.dumps(payload).encode())
    detail = {"bucket": {"name": BUCKET}, "object": {"key": "some"}}
    assert shop.handler({"detail": detail}, Context()) is None


def test_what_was_given_up_is_noted_on_its_rows_until_a_recount_repairs_them(shop: Shop, bucket: Any) -> None:
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        shop.drain()
        order(shop, 2, 20, **PAID)
        (pending,) = (
            each.form for shard in shop.streams[NAME].shards for each in shard.records if "order-2" in each.item
        )
        give_up(shop, bucket, [pending])
        assert told(shop) == (1, 10, False)
        assert shop.command(do="list")["incomplete"][0]["dimensions"] == ["ann"]
        found = shop.command(do="recount", kind=KIND, dimensions=["ann"])
        assert (found["equal"], found["sources"]) == (False, 2)
        shop.command(do="recount", kind=KIND, dimensions=["ann"], repair=True)
        shop.drain()
    assert told(shop) == (2, 30, True)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ({}, "do: must be one of list, apply, discard, recount, sweep, backfill, forget, fill, remove"),
        ({"do": "erase"}, "do: must be one of"),
        ({"do": "recount"}, "kind: must be a text"),
        ({"do": "recount", "kind": "NONE", "dimensions": ["ann"]}, "kind: must be declared"),
        ({"do": "recount", "kind": KIND, "dimensions": "ann"}, "kind: must be declared, with a list"),
        ({"do": "recount", "kind": KIND, "dimensions": ["ann", "bob"]}, "dimensions: 2 given, needed are customer"),
        ({"do": "recount", "kind": KIND, "dimensions": [5]}, "dimensions: a text names what has one component"),
        ({"do": "recount", "kind": KIND, "dimensions": [["ann"]]}, "dimensions: a text names what"),
        ({"do": "discard", "shard": "1"}, "sequence: must be a text"),
        ({"do": "backfill"}, "do: needs views that are declared with the name of a backfill"),
        ({"do": "forget"}, "backfill: must be a text"),
        ({"do": "trust"}, "name: must be a text"),
        ({"do": "trust", "name": KIND}, "name: is not doubted because of a record"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused_by_the_name_of_its_field(
    shop: Shop, command: dict[str, Any], why: str
) -> None:
    assert shop.command(**command)["error"].startswith(why)


@pytest.mark.parametrize("do", ["list", "apply", "discard", "recount", "backfill", "forget", "fill", "remove"])
def test_who_may_invoke_the_reader_of_the_stream_is_no_operator(shop: Shop, do: str) -> None:
    assert shop.handler({"do": do}, Context()) == {"error": "operators have a function of their own"}
    swept = shop.handler({"do": "sweep"}, Context())
    assert swept is not None
    assert swept["complete"], "the schedule asks for it"


@pytest.mark.parametrize("pace", [0, -1, 5001, "fast", 1.5, True])
def test_a_pace_is_a_number_of_items(shop: Shop, pace: object) -> None:
    shop.deploy(views(backfill="first").customers)
    assert shop.command(do="backfill", per_second=pace)["error"].startswith("per_second: must be a whole number")


def test_a_backfill_that_is_declared_is_not_forgotten(shop: Shop) -> None:
    shop.deploy(views(backfill="first").customers)
    assert shop.command(do="forget", backfill="first")["error"].startswith("backfill: is still declared")


@pytest.mark.parametrize("view", ["NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"])
def test_a_stream_that_tells_less_is_refused_with_its_first_record(shop: Shop, view: str) -> None:
    record = {"dynamodb": {"StreamViewType": view, "Keys": {}, "SequenceNumber": "1"}, "eventSourceARN": ""}
    with pytest.raises(WrongStreamError, match=f"has {view}"):
        consumer(STRICT, table=lambda: shop.table)({"Records": [record]}, Context())


def extremes(shop: Shop) -> tuple[int | None, int | None, bool]:
    found = CUSTOMERS.get(shop.table, customer="ann")
    low, high = (None if each is None else int(each) for each in (found.least, found.greatest))
    return low, high, found.complete


def test_extremes_that_a_release_could_not_find_are_taken_up_after_a_fix(shop: Shop) -> None:
    """The recount meets an order that this release can't read; nothing of it is set aside, for it does not change."""
    with shop.delivered():
        unfound(shop)
        shop.drain()
        assert extremes(shop) == (None, None, False)
        assert shop.command(do="sweep")["taken_up"] == 0
        listed = shop.command(do="list")
        assert (listed["records"], [each["kind"] for each in listed["incomplete"]]) == ([], [KIND])
        assert "can't be read" in listed["incomplete"][0]["why"]
        shop.deploy(CUSTOMERS)
        shop.wait(17 * 60)
        assert shop.command(do="sweep")["taken_up"] == 1
        shop.drain()
    assert extremes(shop) == (20, 30, True)
    assert shop.command(do="list")["incomplete"] == []


def unfound(shop: Shop, unreadable: int = 2) -> None:
    """The extremes are unknown, since a release has met an order that it could not read."""
    shop.deploy(CUSTOMERS)
    for number, euros in enumerate((10, 20, 30), 1):
        order(shop, number, euros, **(PAID if number != unreadable else {}))
    shop.drain()
    shop.deploy(STRICT)
    cancel(shop, 1)


def test_while_extremes_are_looked_for_in_steps_their_row_is_not_complete(shop: Shop) -> None:
    """After a removal among more than a thousand orders, it takes several: none of them knows the extremes."""
    seen, real = list[Any](), reading.step

    def step(*arguments: Any) -> Any:
        seen.append(extremes(shop))
        return real(*arguments)

    with patch.object(reading, "ITEMS", 1), patch.object(going_on, "ITEMS", 1), shop.delivered():
        for number, euros in enumerate((10, 20, 30, 40), 1):
            order(shop, number, euros, **PAID)
        shop.drain()
        with patch.object(going_on, "step", step):
            cancel(shop, 1)
            shop.drain()
    assert len(seen) > 1
    assert {*seen} == {(None, None, False)}
    assert extremes(shop) == (20, 40, True)


def test_a_note_stays_until_what_it_stands_for_must_have_been_written(shop: Shop) -> None:
    """A sweep that comes between the two finds nothing to take up."""
    swept = list[Any]()

    def noted(*arguments: Any) -> None:
        real(*arguments)
        if not swept:
            swept.append(None)
            swept[0] = shop.command(do="sweep")["taken_up"]

    real = incomplete.note_unread
    with shop.delivered(), patch.object(incomplete, "note_unread", noted):
        unfound(shop)
        shop.drain()
        assert swept == [0]
        assert extremes(shop) == (None, None, False)
        shop.deploy(CUSTOMERS)
        assert shop.command(do="sweep")["taken_up"] == 1
        shop.drain()
    assert extremes(shop) == (20, 30, True)


def test_a_step_that_meets_what_can_not_be_read_notes_it_before_it_ends_the_recount(shop: Shop) -> None:
    """Once the row says that nothing more is being read, nobody would note it any more."""
    under_way = list[bool]()

    def noted(*arguments: Any) -> None:
        real(*arguments)
        (item,) = shop.table.get_many([keys.of(AggregateId(kept(CUSTOMERS.declared).main, ("ann",)))]).values()
        under_way.append(RECOUNTING in item)

    real = incomplete.note_unread
    with shop.delivered(), patch.object(reading, "ITEMS", 1), patch.object(incomplete, "note_unread", noted):
        unfound(shop, unreadable=3)
        shop.drain()
    assert under_way == [True]
    assert extremes(shop) == (None, None, False)
