"""The lists of all systems while they grow: what was listed before and after is one list, in order, on every engine."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from edgewise import clock
from edgewise.dynamodb.queries import KeyCondition, Position
from edgewise.dynamodb.table import Table
from edgewise.sharding import listing, relief
from edgewise.sharding.lists import ShardedList
from functions.place import entities
from functions.systems.billing import items as billing_items
from functions.systems.billing import store as billing
from functions.systems.billing.entity import Invoice
from functions.systems.games import keys as games_keys
from functions.systems.games import store as games
from functions.systems.games.entity import Play
from functions.systems.graph import keys as graph_keys
from functions.systems.graph import patterns as graph_patterns
from functions.systems.graph import store as graph
from functions.systems.graph.entity import Attribute, NodeId
from functions.systems.orders import store as orders
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ALL_OPEN
from functions.systems.places import store as places
from functions.systems.places.entity import Resident
from tests.support.streams import Recording

NOON = 1_535_544_000_000
MEMBERS = 30
Page = tuple[list[Any], Position | None]


class Case(NamedTuple):
    """A list, how to write its n-th member, how to read a page, and what it has, in order: numbers of members.

    Members that are equal in the list's order stand in any order, which `told` hides.
    """

    of: ShardedList
    write: Callable[[Table, int], Any]
    page: Callable[[Table, int, Position | None], Page]
    told: Callable[[Any], Any]
    expected: list[Any]


def node(table: Table, number: int, name: str, *value: str) -> None:
    graph.put_node(table, NodeId("n", str(number)), [Attribute(name, value)], NOON)


def search(name: str, condition: KeyCondition) -> Callable[[Table, int, Position | None], Page]:
    return lambda table, limit, after: graph.search(table, name, condition, limit, after)


def number(hit: tuple[NodeId, Attribute]) -> int:
    return int(hit[0].id)


SKILLS, DATES, PLACES = (graph_keys.attributes_of(name) for name in ("skill", "born", "lives_in"))
ALL = list(range(MEMBERS))
CASES = {
    "one hot value": Case(
        SKILLS,
        lambda table, n: node(table, n, "skill", "DynamoDB" if n % 3 else "Dynamo"),
        search("skill", graph_patterns.with_value(("DynamoDB",))),
        lambda hit: hit[1].value,
        [("DynamoDB",)] * 20,
    ),
    "a beginning": Case(
        DATES,
        lambda table, n: node(table, n, "born", f"1971-12-{n + 1:02d}"),
        search("born", graph_patterns.with_beginning("1971-12-1")),
        number,
        list(range(9, 19)),
    ),
    "a range": Case(
        DATES,
        lambda table, n: node(table, n, "born", f"1971-12-{n + 1:02d}"),
        search("born", graph_patterns.with_values_between(("1971-12-05",), ("1971-12-25",))),
        number,
        list(range(4, 24)),
    ),
    "a place": Case(
        PLACES,
        lambda table, n: node(table, n, "lives_in", "US", "TX" if n % 2 else "TXX", f"{n:02d}"),
        search("lives_in", graph_patterns.with_place(("US", "TX"))),
        number,
        ALL[1::2],
    ),
    "residents": Case(
        entities("ROOM", "US"),
        lambda table, n: places.put(table, Resident("ROOM", str(n), ("US", f"{n % 4}"))),
        lambda table, limit, after: places.residents(table, ("US",), "ROOM", limit, after),
        lambda resident: resident.place,
        sorted(("US", f"{n % 4}") for n in ALL),
    ),
    "open orders": Case(
        ALL_OPEN,
        lambda table, n: orders.create(table, Order("c", f"{n}", NOON - n, Decimal(1))),
        lambda table, limit, after: orders.open_between(table, NOON - 24, NOON + 1, limit, after),
        lambda order: int(order.id),
        ALL[24::-1],
    ),
    "invoices": Case(
        billing_items.ALL_INVOICES,
        lambda table, n: billing.put_invoice(table, Invoice(f"i {n:02d}")),
        lambda table, limit, after: billing.invoices(table, "i 1", limit, after),
        str,
        [f"i {n}" for n in range(10, 20)],
    ),
    "an award": Case(
        games_keys.award("Champ"),
        lambda table, n: games.create(table, Play(f"p{n}", "g", NOON, n % 5 - 2, "Champ")),
        lambda table, limit, after: games.awarded(table, "Champ", limit, after),
        lambda play: play.score,
        sorted((n % 5 - 2 for n in ALL), reverse=True),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_list_that_grows_is_one_list_in_order(engine: Recording, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    now = NOON
    monkeypatch.setattr(clock, "now", lambda: now)
    for part, shards in enumerate((1, 2, 5)):
        if shards > 1:
            relief.widen(engine, case.of, shards)
        now += listing.LEAD
        for member in ALL[part::3]:
            case.write(engine, member)
    assert len(listing.partitions(engine, case.of)) == 5
    for limit in (1, 4, 100):
        found: list[Any] = []
        after: Position | None = None
        while True:
            page, after = case.page(engine, limit, after)
            assert len(page) <= limit
            found += page
            if after is None:
                break
        assert list(map(case.told, found)) == case.expected
        assert len(set(map(repr, found))) == len(found)  # nothing comes twice


def test_what_is_written_again_after_its_list_has_grown_is_listed_once(
    engine: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = NOON
    monkeypatch.setattr(clock, "now", lambda: now)
    residents = [Resident("ROOM", str(n), ("US", "TX")) for n in range(10)]
    for round_ in range(2):
        for each in residents:
            places.put(engine, each)
        relief.widen(engine, entities("ROOM", "US"), 8)
        now += listing.LEAD
        found, _ = places.residents(engine, ("US",), "ROOM", 100, None)
        assert sorted(found, key=repr) == sorted(residents, key=repr), round_
    for each in residents:
        places.delete(engine, "ROOM", each.id)
    assert places.residents(engine, ("US",), "ROOM", 100, None) == ([], None)


def test_an_invoice_that_changes_after_its_list_has_grown_is_listed_once(
    engine: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = NOON
    monkeypatch.setattr(clock, "now", lambda: now)
    names = [f"i{n}" for n in range(10)]
    for note in ("sent", "paid"):
        for name in names:
            billing.put_invoice(engine, Invoice(name, note=note))
        relief.widen(engine, billing_items.ALL_INVOICES, 8)
        now += listing.LEAD
        assert billing.invoices(engine, None, 100, None) == (names, None)


def test_what_left_its_list_before_or_after_it_grew_is_in_it_no_more(
    engine: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = NOON
    monkeypatch.setattr(clock, "now", lambda: now)
    for shards in (1, 4):
        relief.widen(engine, ALL_OPEN, shards)
        relief.widen(engine, SKILLS, shards)
        now += listing.LEAD
        for n in range(10):
            orders.create(engine, Order("c", f"{shards}-{n}", NOON, Decimal(1)))
            node(engine, n, "skill", f"s{shards}")
    found, _ = graph.search(engine, "skill", graph_patterns.with_values_between((), ()), 100, None)
    assert sorted((int(of.id), attribute.value) for of, attribute in found) == [(n, ("s4",)) for n in range(10)]
    for shards in (1, 4):
        for n in range(10):
            orders.ship(engine, "c", f"{shards}-{n}", NOON)
    assert orders.open_between(engine, None, None, 100, None) == ([], None)
