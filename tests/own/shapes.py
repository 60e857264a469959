"""The tables of the proof's worlds, in every form of keys, with what is declared and what is stored in them."""

from collections.abc import Mapping
from decimal import Decimal
from random import Random
from typing import NamedTuple

from edgewise import BeginsWith, Item, OwnTable, totals
from edgewise.dynamodb.attributes import Attribute
from edgewise.own.table import Where
from edgewise.own.totals import Totals
from tests.own.counting import DEAR

GROUPS, NUMBERS, ADDRESSES = range(1, 4), range(1, 7), range(7, 10)
PRODUCTS, BUYERS, STATUSES = ("tea", "mug", "jam"), ("ann", "bob", "eve"), ("open", "paid")
# How often an order lacks what is read of it; has NULL there; and, if orders are spoilt, an amount that is no number.
LACKS, NULL, SPOILT = 0.2, 0.04, 0.04
# What keys that are texts begin with.
GROUP, ORDER, ADDRESS = "customer-", "order-", "address-"
# What totals are grouped by, but for the partition key; and how they are fed.
PRODUCT = "product"
DIRECT, SHARED, EDGES = "direct", "shared", "edges"


class Shape(NamedTuple):
    """The forms of a table's keys, whether totals are beside it in any case, and whether it has heartbeats."""

    forms: str
    apart: bool = False
    beats: bool = False

    def __str__(self) -> str:
        beside = "within" if self.own.has_room else "beside"
        return f"{self.forms}, totals {beside}{', heartbeats' * self.beats}"

    @property
    def own(self) -> OwnTable:
        """The table's declaration."""
        return OwnTable("customer", "what" * (len(self.forms) > 1), self.forms, self.apart)

    def key(self, group: int, number: int, what: str = ORDER) -> Item:
        """The key of an order, or of what else it is. Without a sort key, each order is a group of its own."""
        if not self.own.sort:
            return {self.own.partition: _key(self.forms, 10 * group + number, what)}
        partition, sort = self.own.keys.items()
        return {partition[0]: _key(partition[1], group, GROUP), sort[0]: _key(sort[1], number, what)}

    def group(self, group: int, number: int) -> str:
        """What the total of an order by the partition key is called."""
        of, prefix = (group, GROUP) if self.own.sort else (10 * group + number, ORDER)
        return {"S": f"{prefix}{of}", "N": str(of), "B": _bytes(of).hex()}[self.forms[0]]

    def values(self, form: str) -> list[str]:
        """All values that some total of this form may have."""
        if form != DIRECT:
            return list(PRODUCTS)
        return sorted({self.group(group, number) for group in GROUPS for number in NUMBERS})

    def order(self, random: Random, *, spoilt: bool) -> Item:
        """Some order; if it may be spoilt, perhaps one whose amount is no number."""
        group, number = random.choice(GROUPS), random.choice(NUMBERS)
        found = self.key(group, number) | {
            "group": {"S": self.group(group, number)},
            PRODUCT: {"S": random.choice(PRODUCTS)},
            "buyer": {"S": random.choice(BUYERS)},
            "status": {"S": random.choice(STATUSES)},
            "euros": _euros(random, spoilt=spoilt),
        }
        lacking = {name for name in ("buyer", "status", "euros") if random.random() < LACKS}
        return {name: value for name, value in found.items() if name not in lacking}


# By turns: each form of keys, and the two that have room for the engine's items in each way. Where totals are beside
# the table, there are no heartbeats.
SHAPES = (
    *(Shape("SS"), Shape("SN"), Shape("SB", beats=True), Shape("B"), Shape("SB", apart=True), Shape("NN")),
    *(Shape("SS", beats=True), Shape("BS"), Shape("N"), Shape("SS", apart=True), Shape("BB"), Shape("SB")),
    *(Shape("NS"), Shape("S")),
)


def declared(own: OwnTable, strict: frozenset[str] = frozenset()) -> Mapping[tuple[str, str], Totals]:
    """The totals of three sets that overlap, by set and form: written directly, by carriers, and by edges.

    A release that is `strict` about a set can't read orders that lack what the set's function asks for.
    """
    found = dict[tuple[str, str], Totals]()
    for name, where in _sets(own, strict).items():
        items = own.items(name, where)
        found[name, DIRECT] = totals(items, name.upper(), by=own.partition, of="euros", extremes=True)
        found[name, SHARED] = totals(items, f"{name.upper()}_PRODUCT", by=PRODUCT, of="euros", top=10)
        found[name, EDGES] = totals(items, f"{name.upper()}_BUYERS", by=PRODUCT, of="euros", distinct="buyer")
    return found


def _sets(own: OwnTable, strict: frozenset[str]) -> Mapping[str, Where]:
    def is_open(item: Item) -> bool:
        status = item["status"] if "open" in strict else item.get("status")
        return _is_order(item) and status == {"S": "open"}

    def is_dear(item: Item) -> bool:
        if not _is_order(item) or ("dear" not in strict and "N" not in item.get("euros", {})):
            return False
        return Decimal(item["euros"]["N"]) >= DEAR

    return {"all": BeginsWith(ORDER) if own.forms == "SS" else _is_order, "open": is_open, "dear": is_dear}


def _is_order(item: Item) -> bool:
    return PRODUCT in item


def _euros(random: Random, *, spoilt: bool) -> Attribute:
    if random.random() < NULL:
        return {"NULL": True}
    if spoilt and random.random() < SPOILT:
        return {"S": "ten"}
    return {"N": str(random.randint(1, 99))}


def _key(form: str, number: int, prefix: str) -> Attribute:
    values: dict[str, Attribute] = {
        "S": {"S": f"{prefix}{number}"},
        "N": {"N": str(number)},
        "B": {"B": _bytes(number)},
    }
    return values[form]


def _bytes(number: int) -> bytes:
    """Some that are no text."""
    return b"\xff" + str(number).encode()
