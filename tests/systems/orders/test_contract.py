"""Orders on every engine: conditional writes, the sparse indexes, and what reading open orders costs."""

from decimal import Decimal

import pytest

from edgewise.aggregates import collections
from edgewise.dynamodb import merge, pages
from edgewise.dynamodb.queries import Position
from edgewise.dynamodb.table import Table
from edgewise.errors import NotFoundError
from edgewise.times import EARLIEST, LATEST
from functions.systems.orders import store as orders
from functions.systems.orders.entity import Order
from functions.systems.orders.items import AMONG_ALL_OPEN, BY_DATE, OPEN_OF_CUSTOMER, ORDER
from functions.systems.orders.system import CUSTOMER
from tests.support.streams import Recording

NOON = 1535544000000


def order(number: int, customer: str = "Padma") -> Order:
    return Order(customer, f"o{number:03d}", NOON + number, Decimal(number))


def place(table: Table, *placed: Order) -> None:
    table.put_many([ORDER.encode(each) for each in placed])


def test_an_id_is_given_once(engine: Recording) -> None:
    first, second = order(1), Order("Padma", "o001", NOON, Decimal(7))
    assert orders.create(engine, first) is first
    assert orders.create(engine, second) == first
    assert orders.create(engine, Order("Rick", "o001", NOON, Decimal(7))).customer == "Rick"


def test_shipping_takes_an_order_off_the_open_ones_once(engine: Recording) -> None:
    place(engine, order(1), order(2))
    assert orders.ship(engine, "Padma", "o001", NOON + 9) == order(1).shipped(NOON + 9)
    assert pages.listed(engine, OPEN_OF_CUSTOMER.query("Padma"), 10, None, ORDER.decode)[0] == [order(2)]
    assert orders.open_between(engine, None, None, 10, None)[0] == [order(2)]
    assert pages.listed(engine, BY_DATE.query("Padma"), 10, None, ORDER.decode)[0] == [
        order(1).shipped(NOON + 9),
        order(2),
    ]
    assert orders.ship(engine, "Padma", "o001", NOON + 10) == order(1).shipped(NOON + 9)
    assert collections.collection(engine, (CUSTOMER,), ORDER.with_summary("Padma"), 10, None, ORDER.decode)[1] == [
        order(1).shipped(NOON + 9),
        order(2),
    ]


def test_an_order_that_is_not_there_does_not_ship(engine: Recording) -> None:
    with pytest.raises(NotFoundError):
        orders.ship(engine, "Padma", "o001", NOON)


@pytest.mark.parametrize("meanwhile", ["shipped", "removed"])
def test_what_happens_between_read_and_write_is_seen(
    engine: Recording, meanwhile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two shipments at once: the first counts, and the answer to the other says when it was."""
    place(engine, order(1))
    stale = engine.get(ORDER.key("Padma", "o001"))
    if meanwhile == "shipped":
        orders.ship(engine, "Padma", "o001", NOON + 1)
    else:
        engine.delete(ORDER.key("Padma", "o001"))
    before = engine.get(ORDER.key("Padma", "o001"))
    # The recording asks for the item too, after the command did.
    read, answers = engine.get, iter([stale])
    monkeypatch.setattr(engine, "get", lambda key: next(answers, None) or read(key))
    if meanwhile == "shipped":
        assert orders.ship(engine, "Padma", "o001", NOON + 2) == order(1).shipped(NOON + 1)
    else:
        with pytest.raises(NotFoundError):
            orders.ship(engine, "Padma", "o001", NOON + 2)
    assert read(ORDER.key("Padma", "o001")) == before


class TestLists:
    @pytest.mark.parametrize("limit", [1, 2, 5, 100])
    def test_open_orders_of_all_customers_in_order(self, engine: Recording, limit: int) -> None:
        placed = [order(number, customer) for number in range(12) for customer in ("Padma", "Rick")]
        place(engine, *placed)
        found: list[Order] = []
        after: Position | None = None
        while True:
            page, after = orders.open_between(engine, NOON + 2, NOON + 9, limit, after)
            assert len(page) <= limit
            found += page
            if after is None:
                break
        assert [each.opened_at for each in found] == [NOON + number for number in range(2, 9) for _ in range(2)]
        assert {(each.customer, each.id) for each in found} == {(e.customer, e.id) for e in placed[4:18]}

    @pytest.mark.parametrize("forward", [True, False])
    def test_open_orders_of_a_customer_by_date_before_1970_too(self, engine: Recording, forward: bool) -> None:
        placed = [Order("Padma", name, at, Decimal(1)) for name, at in (("a", NOON), ("b", -5), ("c", 0), ("d", 900))]
        place(engine, *placed, order(1, "Rick"))
        found: list[str] = []
        after: Position | None = None
        while True:
            page, after = pages.listed(engine, OPEN_OF_CUSTOMER.query("Padma", forward=forward), 3, after, ORDER.decode)
            found += [each.id for each in page]
            if after is None:
                break
        assert found == (["b", "c", "d", "a"] if forward else ["a", "d", "c", "b"])

    @pytest.mark.parametrize("forward", [True, False])
    @pytest.mark.parametrize(("start", "end"), [(None, None), (NOON, None), (None, NOON), (-5, NOON + 1), (1, 2)])
    def test_all_orders_of_a_customer_opened_between_instants(
        self, engine: Recording, start: int | None, end: int | None, forward: bool
    ) -> None:
        """Of any two that stand next to a bound, and with ids that sort otherwise than the dates do."""
        instants = {"z": EARLIEST, "y": -5, "#": 0, "x": NOON - 1, "b": NOON, "a": NOON, "0": NOON + 1, "1": LATEST}
        placed = [Order("Padma", name, at, Decimal(1)) for name, at in instants.items()]
        place(engine, *placed[::2], *(each.shipped(LATEST) for each in placed[1::2]), order(1, "Padma#"), order(1, "P"))
        found: list[str] = []
        still_open: list[str] = []
        for query, into in (
            (BY_DATE.query("Padma", start=start, end=end, forward=forward), found),
            (OPEN_OF_CUSTOMER.query("Padma", start=start, end=end, forward=forward), still_open),
        ):
            after: Position | None = None
            while True:
                page, after = pages.listed(engine, query, 2, after, ORDER.decode)
                into += [each.id for each in page]
                if after is None:
                    break
        low, high = EARLIEST if start is None else start, LATEST + 1 if end is None else end
        expected = sorted((at, name) for name, at in instants.items() if low <= at < high)
        expected = expected if forward else expected[::-1]
        assert found == [name for _, name in expected]
        assert still_open == [name for _, name in expected if name in "z#b0"]

    def test_before_the_first_instant_there_is_nothing(self, engine: Recording) -> None:
        place(engine, Order("Padma", "o", EARLIEST, Decimal(1)))
        for query in (BY_DATE.query("Padma", end=EARLIEST), OPEN_OF_CUSTOMER.query("Padma", end=EARLIEST)):
            assert pages.listed(engine, query, 10, None, ORDER.decode) == ([], None)

    def test_nothing_else_of_a_customer_is_among_the_orders(self, engine: Recording) -> None:
        engine.put_many([{"PK": {"S": "CUSTOMER#Padma"}, "SK": {"S": "AT"}, "Type": {"S": "RESIDENT"}}])
        place(engine, order(1))
        assert collections.collection(engine, (CUSTOMER,), ORDER.with_summary("Padma"), 10, None, ORDER.decode) == (
            [],
            [order(1)],
            None,
        )


@pytest.mark.parametrize("engine", ["dynamodb-local"], indirect=True)
def test_reading_open_orders_costs_the_same_with_no_and_with_500_shipped_ones(engine: Recording) -> None:
    table = Table(engine.name, engine.client)
    still_open = [order(number) for number in range(20)]

    def cost() -> list[tuple[int, float]]:
        costs = []
        for shards in (
            [OPEN_OF_CUSTOMER.query("Padma")],
            AMONG_ALL_OPEN.in_shards(["OPEN_ORDERS#1"], None, None),
        ):
            table.usage.reset()
            found = merge.page(table, shards, 100).items
            assert [ORDER.decode(entry) for entry in found] == still_open
            costs.append((table.usage.requests, table.usage.read_units))
        return costs

    place(table, *still_open)
    without = cost()
    place(table, *(order(number).shipped(NOON) for number in range(100, 600)))
    assert cost() == without == [(1, 0.5), (1, 0.5)]


@pytest.mark.parametrize("engine", ["dynamodb-local"], indirect=True)
def test_what_placing_and_shipping_cost(engine: Recording) -> None:
    """The item and its entry by date, which are written and changed; two among the open ones, which come and go."""
    table = Table(engine.name, engine.client)
    orders.create(table, order(1))
    assert (table.usage.requests, table.usage.write_units) == (2, 4)  # one for the history of the list's shards
    table.usage.reset()
    orders.create(table, order(2))
    assert (table.usage.requests, table.usage.write_units) == (1, 4)  # which is known for a while
    table.usage.reset()
    orders.ship(table, "Padma", "o001", NOON)
    assert (table.usage.requests, table.usage.read_units, table.usage.write_units) == (2, 1, 4)
