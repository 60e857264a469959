"""What a row's plain values say where its cells don't tell all; and that a table apart has the same items."""

from decimal import Decimal

import pytest

from delivery import NONE
from edgewise import OwnTable
from edgewise.aggregates.measures import COUNT, Cell, Extremes
from edgewise.aggregates.plain import Plain
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.existing import OtherFormatError
from edgewise.views import Items, Text, View, count, group_by
from edgewise.views.cells import LOST
from edgewise.views.view import kept
from tests.support.own_tables import BESIDE, NAME, Shop
from tests.views.stored.vectors import Spent

CELLS = {COUNT: Cell(2), "greatest": Cell(2, Decimal(9), Extremes(Decimal(4), Decimal(5)))}
APART = OwnTable("pk", "sk", apart=True)


class Thing(Items, table=APART):
    owner = Text("pk")


class Things(View, of=Thing):
    owner = group_by(Thing.owner)
    things = count()


@pytest.fixture
def plain() -> Plain:
    found = kept(Spent.declared).main.plain
    assert found is not None
    return found


def test_a_row_that_knows_all_is_not_incomplete(plain: Plain) -> None:
    told = plain.attributes(CELLS, frozenset(), False)
    assert {*told} == {"Row"}
    assert (told["Row"]["M"]["least"], told["Row"]["M"]["greatest"]) == ({"N": "4"}, {"N": "5"})


def test_an_extreme_that_nobody_knows_is_absent_and_the_row_incomplete(plain: Plain) -> None:
    told = plain.attributes(CELLS, {"greatest"}, False)
    assert told["Incomplete"] == {"BOOL": True}
    assert not {"least", "greatest"} & told["Row"]["M"].keys()
    assert told["Row"]["M"]["net"] == {"N": "9"}


def test_what_lacks_something_or_lost_too_much_says_so(plain: Plain) -> None:
    assert "Incomplete" in plain.attributes(CELLS, frozenset(), True)
    assert "Incomplete" in plain.attributes({**CELLS, LOST: Cell(1)}, frozenset(), False)
    assert {*plain.attributes({COUNT: Cell(-1)}, frozenset(), False)} == {"Incomplete"}


def test_a_table_apart_has_the_same_items_below_keys_of_its_own() -> None:
    shop = Shop(APART, 1, NONE)
    shop.deploy(Things)
    with shop.delivered():
        shop.owner.put_item(TableName=NAME, Item={"pk": {"S": "ann"}, "sk": {"S": "1"}})
    for item in shop.items[BESIDE].all():
        assert {"PK", "SK", "Edgewise"} <= item.keys()
        assert item["PK"]["S"].startswith("edgewise#")
    key: Item = {"PK": {"S": f"edgewise#{Things.declared.full_name}#ann"}, "SK": {"S": "AT"}}
    found = shop.owner.get_item(TableName=BESIDE, Key=key)["Item"]
    assert found["Edgewise"]["M"]["Row"] == {"M": {"things": {"N": "1"}}}
    assert Things.get(shop.table, owner="ann").things == 1
    shop.owner.put_item(TableName=BESIDE, Item={**key, "Edgewise2": found["Edgewise"]})
    with pytest.raises(OtherFormatError, match=r"the item PK edgewise#Things-.* is stored in format 2"):
        Things.get(shop.table, owner="ann")
