"""Whatever forms a table's keys have, DynamoDB takes each request: moto does not mind, so this asks DynamoDB Local."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from delivery import NONE
from edgewise import OwnTable
from edgewise.dynamodb.attributes import Attribute
from edgewise.dynamodb.existing import key_text
from edgewise.stream.incomplete import LONGEST_INVOCATION
from edgewise.times import SECOND
from edgewise.views import Items, Number, Text, View, count, distinct, group_by, max_of, min_of, sum_of, top
from tests.own.orders import PAID, name
from tests.own.releases import StrictText
from tests.support.own_tables import NAME, TOLD, Shop

FORMS = [*"SNB", *(partition + sort for partition in "SNB" for sort in "SNB")]


class Views(NamedTuple):
    """Written directly, with extremes; by edges; by entries; and by carriers, with a ranking."""

    near: Any
    edges: Any
    entries: Any
    ranked: Any


def declared(own: OwnTable, *, strict: bool = False, backfill: str = "") -> Views:
    """A `strict` release can't read orders without a state."""

    class Order(Items, table=own):
        customer, who, product, euros = Text(own.partition), Text(), Text(), Number()
        state = StrictText() if strict else Text()

    paid = (Order.state == "paid") | ~Order.state.exists()

    class Near(View, of=Order, where=paid, backfill=backfill):
        customer = group_by(Order.customer)
        orders, euros, least, greatest = count(), sum_of(Order.euros), min_of(Order.euros), max_of(Order.euros)

    class Edges(View, of=Order, where=paid, backfill=backfill):
        customer = group_by(Order.customer)
        orders, who = count(), distinct(Order.who)

    class Entries(View, of=Order, where=paid, backfill=backfill):
        product = group_by(Order.product)
        orders, greatest = count(), max_of(Order.euros)

    class Ranked(View, of=Order, where=paid, backfill=backfill):
        euros = sum_of(Order.euros)
        products = top(Order.product, by=euros)

    return Views(Near, Edges, Entries, Ranked)


def filled(own: OwnTable) -> Any:
    """A view that also counts what was stored before."""

    class Order(Items, table=own):
        product, euros = Text(), Number()

    class Filled(View, of=Order, fill=True):
        product = group_by(Order.product)
        orders, greatest = count(), max_of(Order.euros)

    return Filled


@pytest.fixture(params=FORMS)
def own(request: pytest.FixtureRequest) -> OwnTable:
    forms = str(request.param)
    return OwnTable("customer", "what" if len(forms) > 1 else "", forms)


@pytest.fixture
def shop(own: OwnTable, java: None, dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    aws_env.setenv("AWS_ENDPOINT_URL_DYNAMODB", dynamodb_local)
    made = Shop(own, 3, NONE)
    yield made
    for each in made.streams:
        made.owner.delete_table(TableName=each)


def key(form: str, number: int) -> Attribute:
    values: dict[str, Attribute] = {"S": {"S": f"k{number}"}, "N": {"N": str(number)}, "B": {"B": bytes([255, number])}}
    return values[form]


def order(shop: Shop, number: int, euros: int, **more: Any) -> None:
    product = ("mug", "tea")[number % 2]
    item: Any = {"who": {"S": f"w{number % 2}"}, "product": {"S": product}, "euros": {"N": str(euros)}}
    shop.owner.put_item(TableName=NAME, Item=_key(shop, number) | item | more)


def _key(shop: Shop, number: int) -> Any:
    """All orders are of one customer; without a sort key, each is of one of its own."""
    keys = shop.own.keys.items()
    return {each: key(form, 1 if at == 0 < len(keys) - 1 else number) for at, (each, form) in enumerate(keys)}


def _group(form: str) -> str:
    return {"S": "k1", "N": "1", "B": "ff01"}[form]


def test_every_command_is_done(shop: Shop, own: OwnTable) -> None:
    """Two orders can't be read: one is applied after a fix, the other one discarded before."""
    group, alone, (near, edges, entries, ranked) = _group(own.forms[0]), not own.sort, declared(own)
    shop.deploy(*declared(own, strict=True))
    with shop.delivered():
        order(shop, 1, 10, **PAID)
        order(shop, 2, 20, **PAID)
        order(shop, 3, 5)
        order(shop, 4, 7)
        shop.drain()
        first, second = shop.command(do="list")["records"]
        assert shop.command(do="apply")["left"] == 2
        assert shop.command(do="discard", shard=second["shard"], sequence=second["sequence"]) == {"discarded": 1}
        shop.deploy(near, edges, entries, ranked)
        assert shop.command(do="apply") == {"applied": 1, "malformed": [], "left": 0}
        shop.drain()
        assert first["error"] == second["error"]
        for view in (near, edges):
            asked = shop.command(do="recount", kind=name(view), dimensions=[group])
            assert "error" not in asked, asked
        repaired = shop.command(do="recount", kind=name(near), dimensions=[group], repair=True)
        assert "error" not in repaired, repaired
        shop.drain()
        found = near.get(shop.table, customer=group)
        assert (found.orders, int(found.euros), found.complete) == ((1, 10, True) if alone else (4, 42, True))
        best = ranked.ranking(shop.table, ranked.products, 3)
        assert [each.member for each in best.standings] == ["mug", "tea"], "of 20 and 10, and 5 or 7 more of one"
        assert not best.complete, "one of its orders was discarded"
        for doubt in shop.command(do="list")["doubted"]:
            assert shop.command(do="trust", name=doubt) == {"trusted": 1}
        swept = shop.command(do="sweep")
        assert swept["complete"], swept


def test_the_next_extreme_is_found_by_keys_and_by_entries(shop: Shop, own: OwnTable) -> None:
    near, edges, entries, _ = declared(own)
    group, alone = _group(own.forms[0]), not own.sort
    shop.deploy(near, edges, entries)
    with shop.delivered():
        for number, euros in enumerate((10, 20, 30, 40), 1):
            order(shop, number, euros)
        shop.drain()
        shop.owner.delete_item(TableName=NAME, Key=_key(shop, 4))
        shop.drain()
        row, of_mug = near.get(shop.table, customer=group), entries.get(shop.table, fresh=TOLD, product="mug")
        assert (row.orders, row.greatest, row.complete) == ((1, 10, True) if alone else (3, 30, True))
        assert (of_mug.orders, of_mug.greatest, of_mug.complete) == (1, 20, True)
        who = edges.values(shop.table, edges.who, customer=group)
        assert (who.values, who.complete) == (["w1"] if alone else ["w0", "w1"], True)
        entered = ["mug", *map(key_text, _key(shop, 2).values()), *([] if own.sort else [""])]
        found = shop.command(do="recount", kind=f"{name(entries)}-ITEM", dimensions=entered)
        assert (found["equal"], found["sources"]) == (True, 1), "an entry finds its order by the key in its own"


def test_a_backfill_counts_what_was_there(shop: Shop, own: OwnTable) -> None:
    group, alone, filled = _group(own.forms[0]), not own.sort, declared(own, backfill="first")
    with shop.delivered():
        with shop.before():
            order(shop, 1, 10)
            order(shop, 2, 20)
        shop.deploy(*filled)
        while not shop.command(do="backfill", per_second=5000)["complete"]:
            shop.wait(60)
        shop.drain()
        found = filled.near.get(shop.table, customer=group)
        assert (found.orders, int(found.euros)) == ((1, 10) if alone else (2, 30))
        shop.wait(24 * 3600)
        shop.deploy(*declared(own))
        assert shop.command(do="forget", backfill="first")["complete"]


def test_a_view_is_filled_with_what_was_there_and_removed(shop: Shop, own: OwnTable) -> None:
    view, kept = filled(own), declared(own).near
    with shop.delivered():
        with shop.before():
            for number, euros in ((1, 10), (2, 20), (3, 30)):
                order(shop, number, euros)
        shop.deploy(view, kept)
        while not shop.command(do="fill", per_second=5000)["complete"]:
            shop.wait(60)
        shop.drain()
        shop.wait(120)
        for greatest, left in ((30, 2), (10, 1)):
            tea = view.get(shop.table, fresh=TOLD, product="tea")
            assert (tea.orders, tea.greatest, tea.complete) == (left, greatest, True)
            shop.owner.delete_item(TableName=NAME, Key=_key(shop, 3))
            shop.drain()
        shop.deploy(kept)
        while not shop.command(do="remove", view=name(view))["complete"]:
            shop.wait(LONGEST_INVOCATION / SECOND)
        shop.drain()
    stored = (item for items in shop.items.values() for item in items.all())
    assert not [item for item in stored if any(name(view) in str(item.get(each)) for each in ("PK", own.partition))]


@pytest.mark.parametrize("own", ["SB", "N"], indirect=True)
def test_what_counts_nothing_is_swept(shop: Shop, own: OwnTable) -> None:
    shop.deploy(*declared(own))
    with shop.delivered():
        order(shop, 1, 10)
        shop.drain()
        shop.owner.delete_item(TableName=NAME, Key=_key(shop, 1))
        shop.drain()
        shop.wait(4 * 24 * 3600)
        swept = shop.command(do="sweep")
    assert swept["removed"] > 0, swept
