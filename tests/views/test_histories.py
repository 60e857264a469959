"""Views that are drawn at random equal a plain GROUP BY, however the stream is delivered."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Context, Decimal
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from edgewise import OwnTable
from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.named import Named
from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.dynamodb.existing import MAP, others
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import chunks
from edgewise.testing import comparing
from edgewise.views import View, cells, keeping, valuing, windows
from edgewise.views import view as reader
from edgewise.views.groupings import By, ByLevels
from edgewise.views.keeping import Kept
from edgewise.views.places import Places
from tests.support.own_tables import NAME, TOLD, Shop
from tests.views.drawing import (
    BUYERS,
    LENGTHS,
    ORDER,
    PRODUCTS,
    REGIONS,
    STATUSES,
    TAGS,
    Drawn,
    Few,
    Key,
    Measure,
    counted,
    declare,
    draw,
    fields,
    ranked,
    record,
    totals,
    windowed,
)

TABLES = (
    *(OwnTable("pk", "sk"), OwnTable("pk", "sk", "SB"), OwnTable("pk", "sk", "SN"), OwnTable("pk")),
    *(OwnTable("pk", "sk", "NB"), OwnTable("pk", "sk", "BN"), OwnTable("pk", forms="B")),
)
START = datetime(2026, 10, 31, 20, tzinfo=UTC)
# How many declarations are drawn for a history; how many histories there are, and how many changes each has.
DECLARATIONS, SEEDS, CHANGES = 5, 10, 40
Views = list[tuple[Drawn, type[View]]]


def drawn(random: Random, own: OwnTable, number: int) -> Views:
    """Views of orders, and of such views, that can be exact; those that can't are refused, and drawn anew."""
    found, of = Views(), fields(own)
    while len(found) < number:
        below: Any = of
        for each in draw(random, len(found)):
            try:
                below = declare(each, below)
            except DeclarationError:
                break
            found.append((each, below))
    return found


def key(own: OwnTable, customer: str, number: int) -> Item:
    if not own.sort:
        return {"pk": _key(own.forms, f"{customer}{number}", 10 * ord(customer) + number)}
    return {"pk": _key(own.forms[0], customer, ord(customer)), "sk": _key(own.forms[1], f"{ORDER}{number}", number)}


def _key(form: str, text: str, number: int) -> Attribute:
    forms: Mapping[str, Attribute] = {"S": {"S": text}, "N": {"N": str(number)}, "B": {"B": f"{number}".encode()}}
    return forms[form]


def order(random: Random, own: OwnTable, customer: str, number: int) -> Item:
    """An order as the shop writes it: each attribute may be absent, and an amount NULL, or written as a text."""
    net, at = random.randint(1, 99), START + timedelta(minutes=random.randint(0, 480))
    found: Item = {
        "kind": {"S": "order"},
        "product": {"S": random.choice(PRODUCTS)},
        "status": {"S": random.choice(STATUSES)},
        "buyer": {"S": random.choice(BUYERS)},
        "pieces": {"N": str(random.randint(0, 9))},
        "price": {"M": {"net": random.choice([{"N": str(net)}, {"S": f"{net}.50"}, {"NULL": True}])}},
        "at": random.choice([{"S": at.isoformat()}, {"N": str(int(at.timestamp()))}]),
        "tags": {"SS": random.sample(TAGS, random.randint(1, 3))},
        "region": {"S": random.choice(REGIONS)},
    }
    return key(own, customer, number) | {
        name: value for name, value in found.items() if random.random() > 0.1 or name == "kind"
    }


def change(shop: Shop, random: Random) -> None:
    customer, number = random.choice("ab"), random.randint(1, 6)
    if random.random() < 0.25:
        gone = key(shop.own, customer, number)
        shop.expire(gone) if random.random() < 0.3 else shop.owner.delete_item(TableName=NAME, Key=gone)
    else:
        shop.owner.put_item(TableName=NAME, Item=order(random, shop.own, customer, number))


def orders(shop: Shop) -> list[Mapping[str, Any]]:
    return [record(item) for item in shop.all(lambda item: "kind" in item)]


def disagreements(shop: Shop, kept: Views, seen: Mapping[str, set[tuple[str, ...]]]) -> Iterator[str]:
    """The rows that are not what a plain count says, of all groups that there have been; the ranges, and the totals."""
    told = orders(shop)
    for each, view in kept:
        should = counted(each, told)
        groups = sorted(seen[each.name] | should.keys())
        asked = [dict(zip(each.keys, group, strict=True)) for group in groups]
        rows = [row for some in chunks(asked, 100) for row in view.read_many(shop.table, some, fresh=TOLD).rows]
        for group, row in zip(groups, rows, strict=True):
            wanted = should.get(group) or {name: _empty(word) for name, (word, *_) in each.measures.items()}
            found = {name: getattr(row, name) for name in each.measures}
            if found != wanted or not row.complete:
                yield f"{each} {group}: {found} {row.complete}, and not {wanted}"
        yield from _ranges(shop, each, view, should)
        yield from _windows(shop, each, view, should) if each.of is None else ()
        yield from _rankings(shop, each, view, should) if each.ranked else ()


def _ranges(shop: Shop, each: Drawn, view: type[View], should: Mapping[tuple[str, ...], Any]) -> Iterator[str]:
    names = [*each.keys]
    is_ranged = len(names) > 1 or any(word in LENGTHS for word, *_ in each.keys.values())
    for lead in {group[:-1] for group in should} if is_ranged else ():
        asked = dict(zip(names, lead, strict=False))
        wanted = sorted(group for group in should if group[:-1] == lead)
        for found in (
            view.between(shop.table, "", "~", fresh=TOLD, **asked),
            view.groups(shop.table, fresh=TOLD, **asked),
        ):
            if [tuple(getattr(row, name) for name in names) for row in found.rows] != wanted or not found.complete:
                yield f"{each} between: {found}, and not {wanted}"
            total, together = found.total(), totals(each, orders(shop))[lead]
            if any(getattr(total, name) != value for name, value in together.items()) or not total.complete:
                yield f"{each} total {lead}: {total}, and not {together}"


def _windows(shop: Shop, each: Drawn, view: type[View], should: Mapping[tuple[str, ...], Any]) -> Iterator[str]:
    """The windows of three periods that end while orders come in, of each group by the keys before the period."""
    names = [*each.keys]
    for number in [number for number, (word, *_) in enumerate(each.keys.values()) if word in LENGTHS]:
        for lead in {group[:number] for group in should}:
            asked = dict(zip(names, lead, strict=False))
            found = view.window(shop.table, 3, START + timedelta(hours=5, minutes=20), fresh=TOLD, **asked)
            wanted = windowed(each, orders(shop), lead, found.since, found.until)
            told = {name: getattr(found.total, name) for name in wanted}
            if told != wanted or not found.complete:
                yield f"{each} window {lead} {found.since}: {told}, and not {wanted}"


def _rankings(shop: Shop, each: Drawn, view: Any, should: Mapping[tuple[str, ...], Any]) -> Iterator[str]:
    wanted = ranked(each, orders(shop))
    for group in should:
        found = view.ranking(shop.table, view.best, fresh=TOLD, **dict(zip(each.keys, group, strict=True)))
        numbers = {standing.member: standing.number for standing in found.standings}
        if numbers != wanted.get(group, {}) or not found.complete:
            yield f"{each} ranking {group}: {found}, and not {wanted.get(group)}"


def _empty(word: str) -> Any:
    nothing = {"count": 0, "distinct": 0, "sum": Decimal(0), "count_by": {}, "few_by": Few({})}
    return nothing.get(word)


class Wrong(NamedTuple):
    """What is wrong by the count of these tests, and by the one that everybody has for tests of their own."""

    here: list[str]
    there: list[str]


def history(kept: Views, own: OwnTable, seed: int, changes: int = CHANGES) -> Wrong:
    """What is wrong after a history of these views."""
    random, shop = Random(seed), Shop(own, seed)
    seen: dict[str, set[tuple[str, ...]]] = {each.name: set() for each, _ in kept}
    shop.deploy(*(view for _, view in kept))
    with shop.delivered():
        for _ in range(changes):
            change(shop, random)
            for each, _view in kept:
                seen[each.name] |= counted(each, orders(shop)).keys()
            for _ in range(random.randint(0, 3)):
                shop.step()
    items = shop.all(lambda item: MAP not in item)
    there = [each for _, view in kept for each in comparing.disagreements(view.declared, shop.table, items, TOLD)]
    return Wrong(list(disagreements(shop, kept, seen)), there)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_each_row_equals_a_plain_count(seed: int) -> None:
    own = TABLES[seed % len(TABLES)]
    assert history(drawn(Random(seed), own, DECLARATIONS), own, seed) == ([], [])


def _declared(name: str, measures: Mapping[str, Measure], **keys: Key) -> Drawn:
    return Drawn(name, None, None, keys, measures, recountable=False)


SPREAD: Measure = ("stddev", "net", None)
LEAST, MOST = ("min", "net", None), ("max", "net", None)
BY_CUSTOMER, BY_TAG = ("by", "customer", ""), ("each", "tags", "")
BUYERS_AND_STATUSES: Mapping[str, Measure] = {
    "buyers": ("distinct", "buyer", None),
    "statuses": ("distinct", "status", None),
    "net": ("sum", "net", None),
}
FIXED = (
    _declared("Near", {"least": LEAST, "most": MOST, "spread": SPREAD}, customer=BY_CUSTOMER),
    _declared("Levels", {"orders": ("count", "", None)}, region=("levels", "region", "")),
    _declared("Days", {"net": ("sum", "net", None), "most": MOST}, customer=BY_CUSTOMER, day=("day", "placed", "UTC")),
    _declared("Entries", {"least": LEAST, "most": MOST}, tag=BY_TAG),
    _declared(
        "Values", {"few": ("few_by", "status", None), "each": ("count_by", "product", None)}, customer=BY_CUSTOMER
    ),
    _declared(
        "Edges",
        {"a": ("distinct", "buyer", None), "b": ("distinct", "status", None), "total": ("sum", "net", None)},
        tag=BY_TAG,
    ),
)


def _known(cells: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: cell for name, cell in cells.items() if not name.endswith("=")}


FITTING, WHOLE, TOGETHER = Named.fitting, windows.whole, valuing.together
MUTANTS: Mapping[str, tuple[Any, str, Any]] = {
    "a record counts as often as it comes": (Checkpoint, "covers", lambda *_: False),
    "all items of a group have one entry": (Places, "identity", lambda *_: ("", "")),
    "extremes are looked for where they are not": (Places, "near", lambda *_: Query(others("nobody"))),
    "entries are looked for where they are not": (Places, "beside", lambda *_: Query(others("nobody"))),
    "squares are rounded": (cells, "EXACT", Context(prec=2)),
    "a path is one level": (ByLevels, "values", By.values),
    "of several rows, a total has the last one": (reader, "together", lambda rows: TOGETHER([*rows][-1:])),
    "no edges bring what is counted": (Kept, "_bearer", ""),
    "all of a row's items have one value": (keeping, "marked", lambda _: "same"),
    "values without a number are forgotten": (Named, "fitting", lambda *of: _known(FITTING(*of))),
    "a window has what comes after it": (windows, "whole", lambda *of: WHOLE(*of)._replace(last="~")),
}
# A count that reads items as the declaration does, and adds up no rows, can't see these.
UNSEEN = ("a path is one level", "of several rows, a total has the last one", "a window has what comes after it")


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str) -> None:
    own = TABLES[0]
    with patch.object(*MUTANTS[name]):
        wrong = history([(each, declare(each, fields(own))) for each in FIXED], own, 1)
    assert wrong.here
    assert bool(wrong.there) is (name not in UNSEEN)
