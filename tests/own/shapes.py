"""The tables of the proof's worlds, in every form of keys, with what is declared and what is stored in them."""

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

from edgewise import OwnTable
from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.views import Items, Number, Text, View, count, distinct, group_by, max_of, min_of, sum_of, top
from tests.own.counting import DEAR, SETS
from tests.own.releases import StrictNumber, StrictText

GROUPS, NUMBERS, ADDRESSES = range(1, 4), range(1, 7), range(7, 10)
PRODUCTS, BUYERS, STATUSES = ("tea", "mug", "jam"), ("ann", "bob", "eve"), ("open", "paid")
# How often an order lacks what is read of it; has NULL there; and, if orders are spoilt, an amount that is no number.
LACKS, NULL, SPOILT = 0.2, 0.04, 0.04
# What keys that are texts begin with.
GROUP, ORDER, ADDRESS = "customer-", "order-", "address-"
# The forms of views, by how they are fed; the last one has one row, and ranks products. What each groups by.
PRODUCT = "product"
DIRECT, SHARED, EDGES, RANKED = "direct", "shared", "edges", "ranked"
KEYS: Mapping[str, Sequence[str]] = {DIRECT: ("group",), SHARED: (PRODUCT, "status"), EDGES: (PRODUCT,), RANKED: ()}


class Shape(NamedTuple):
    """The forms of a table's keys, whether views are beside it in any case, and whether it has heartbeats."""

    forms: str
    apart: bool = False
    beats: bool = False

    def __str__(self) -> str:
        beside = "within" if self.own.has_room else "beside"
        return f"{self.forms}, views {beside}{', heartbeats' * self.beats}"

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
        """What the group of an order by the partition key is called."""
        of, prefix = (group, GROUP) if self.own.sort else (10 * group + number, ORDER)
        return {"S": f"{prefix}{of}", "N": str(of), "B": _bytes(of).hex()}[self.forms[0]]

    @property
    def groups(self) -> list[str]:
        """All groups by the partition key."""
        return sorted({self.group(group, number) for group in GROUPS for number in NUMBERS})

    def values(self, form: str) -> list[tuple[str, ...]]:
        """The keys of all rows that a view of this form may have."""
        known = {"group": self.groups, PRODUCT: PRODUCTS, "status": STATUSES}
        return list(product(*(known[name] for name in KEYS[form])))

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


# By turns: each form of keys, and the two that have room for the engine's items in each way. Where views are beside
# the table, there are no heartbeats.
SHAPES = (
    *(Shape("SS"), Shape("SN"), Shape("SB", beats=True), Shape("B"), Shape("SB", apart=True), Shape("NN")),
    *(Shape("SS", beats=True), Shape("BS"), Shape("N"), Shape("SS", apart=True), Shape("BB"), Shape("SB")),
    *(Shape("NS"), Shape("S"), Shape("BN"), Shape("NB")),
)


def declared(own: OwnTable, strict: frozenset[str] = frozenset()) -> Mapping[tuple[str, str], type[View]]:
    """The views of three sets that overlap, by set and form.

    A release that is `strict` about a set can't read orders that lack what the set's condition asks for.
    """
    found = dict[tuple[str, str], type[View]]()
    for name in SETS:
        order = _orders(own, strict & {name})
        where = {"all": None, "open": order.status == "open", "dear": order.euros >= DEAR}[name]
        found |= {(name, form): view for form, view in _views(order, where).items()}
    return found


def _orders(own: OwnTable, strict: frozenset[str]) -> Any:
    by_key = own.forms == "SS"

    class Order(Items, table=own, starts=ORDER if by_key else "", where=None if by_key else Text(PRODUCT).exists()):
        group, product, buyer = Text(own.partition), Text(), Text()
        status = StrictText() if "open" in strict else Text()
        euros = StrictNumber() if "dear" in strict else Number()

    return Order


def _views(order: Any, only: Any) -> Mapping[str, type[View]]:
    """The views of a set, by form."""

    class Direct(View, of=order, where=only):
        group = group_by(order.group)
        orders, summed, euros = count(), count(where=order.euros.exists()), sum_of(order.euros)
        least, greatest = min_of(order.euros), max_of(order.euros)

    class Shared(View, of=order, where=only):
        product, status = group_by(order.product), group_by(order.status)
        orders, summed, euros = count(), count(where=order.euros.exists()), sum_of(order.euros)

    class Edges(View, of=order, where=only):
        product = group_by(order.product)
        orders, summed, euros = count(), count(where=order.euros.exists()), sum_of(order.euros)
        buyers = distinct(order.buyer)

    class Ranked(View, of=order, where=only):
        orders, summed, euros = count(), count(where=order.euros.exists()), sum_of(order.euros)
        products = top(order.product, by=euros)

    return {DIRECT: Direct, SHARED: Shared, EDGES: Edges, RANKED: Ranked}


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
