"""Declarations drawn at random, as plain data: of each, the class that declares it, and what a plain GROUP BY says.

The count reads items and groups them by itself: it asks no code of views.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Context, Decimal
from fractions import Fraction
from itertools import product
from operator import eq, ge, gt, le, lt, ne
from random import Random
from types import new_class
from typing import Any
from zoneinfo import ZoneInfo

from edgewise import OwnTable, views
from edgewise.dynamodb.attributes import Item
from edgewise.views import View
from tests.own.releases import StrictNumber, StrictText

ORDER = "order-"
PRODUCTS, STATUSES, BUYERS, TAGS, REGIONS = (
    ("tea", "mug", "pot"),
    ("open", "paid", "cancelled"),
    ("x", "y", "z"),
    ("a", "b", "c"),
    ("eu", "eu/de", "eu/de/be", "eu/fr", "us"),
)
VALUES = {"customer": "a", "product": "pot", "tags": "b", "status": "paid", "region": "eu/de"}
# Keys by which an order is in several groups.
OVERLAPPING = ("each", "levels")
ZONES = ("UTC", "Europe/Berlin", "Asia/Kathmandu")
LENGTHS = {"hour": 13, "day": 10, "month": 7}
OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
ENDS: Mapping[str, Callable[[Any], Any]] = {"min": min, "max": max, "first": min, "last": max}
# How many values are counted one by one.
BOUNDS = {"count_by": 20, "few_by": 1}
# A condition: a word, and what it is about; a key: a word, a field and a zone; a measure: a word, a field, a condition.
Condition = tuple[Any, ...]
Key = tuple[str, str, str]
Measure = tuple[str, str, Condition | None]
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Drawn:
    """A declaration as plain data; `of`: the one that it is made of, None if of orders."""

    name: str
    of: "Drawn | None"
    where: Condition | None
    keys: Mapping[str, Key]
    measures: Mapping[str, Measure]
    recountable: bool
    # What is ranked: a field, and the measure by which.
    ranked: tuple[str, str] | None = None
    fill: bool = False


def fields(own: OwnTable, strict: frozenset[str] = frozenset()) -> type[views.Items]:
    """The orders of a table, with their fields; who is `strict` about some of these can't read orders without them."""
    status = StrictText() if "status" in strict else views.Text()
    net = StrictNumber("price.net") if "net" in strict else views.Number("price.net")
    made: dict[str, Any] = {
        **{"customer": views.Text("pk"), "product": views.Text(), "status": status, "buyer": views.Text()},
        **{"tags": views.Texts(), "net": net, "pieces": views.Number()},
        "placed": views.Instant("at"),
        "region": views.Text(),
    }
    starts = {"starts": ORDER} if own.forms == "SS" else {"where": views.Text("kind") == "order"}
    found: type[views.Items] = _class("Order", views.Items, made, table=own, **starts)
    return found


def declare(drawn: Drawn, of: type) -> type[View]:
    """The view; `of`: the class of its items, or the view that it is made of."""
    made: dict[str, Any] = {name: views.group_by(_grouping(key, of)) for name, key in drawn.keys.items()}
    made |= {name: _measure(each, of) for name, each in drawn.measures.items()}
    if drawn.ranked:
        made["best"] = views.top(getattr(of, drawn.ranked[0]), by=made[drawn.ranked[1]])
    more: dict[str, Any] = {"where": _condition(drawn.where, of)} if drawn.where else {}
    more |= {"fill": True} if drawn.fill else {}
    found: type[View] = _class(drawn.name, View, made, of=of, recountable=drawn.recountable, **more)
    return found


def _class(name: str, base: type, made: Mapping[str, Any], **of: Any) -> Any:
    return new_class(name, (base,), of, lambda namespace: namespace.update(made))


def _grouping(key: Key, of: Any) -> Any:
    word, field, zone = key
    if word == "by":
        return getattr(of, field)
    if word == "each":
        return views.each_of(getattr(of, field))
    if word == "levels":
        return views.levels_of(getattr(of, field))
    if word == "hour":
        return views.hour_of(getattr(of, field))
    return {"day": views.day_of, "month": views.month_of}[word](getattr(of, field), zone)


def _measure(measure: Measure, of: Any) -> Any:
    word, field, where = measure
    more = {"where": _condition(where, of)} if where else {}
    if word == "count":
        return views.count(**more)
    if word in BOUNDS:
        return views.count_by(getattr(of, field), max_values=BOUNDS[word], **more)
    make: Any = getattr(views, word if word == "distinct" else f"{word}_of")
    return make(getattr(of, field), **more)


def _condition(said: Condition, of: Any) -> Any:
    word, *about = said
    if word in ("and", "or"):
        one, other = (_condition(part, of) for part in about)
        return one & other if word == "and" else one | other
    if word == "not":
        return ~_condition(about[0], of)
    field = getattr(of, about[0])
    if word == "exists":
        return field.exists()
    if word == "in":
        return field.isin(*about[1])
    return field.has(about[1]) if word == "has" else OPERATORS[word](field, about[1])


# The plain count.


class Few:
    """How many have each value; equal to the numbers of some values, and how many all others have together."""

    def __init__(self, each: Mapping[str, int]) -> None:
        self._each = each

    def __eq__(self, said: Any) -> bool:
        told = {value: self._each.get(value, 0) for value in said}
        return dict(said) == told and said.others == sum(self._each.values()) - sum(told.values())

    __hash__ = None  # type: ignore[assignment]


def record(item: Item) -> Record:
    """What an order says."""
    net = item.get("price", {"M": {}})["M"].get("net", {"NULL": True})
    at = item.get("at", {"NULL": True})
    told: dict[str, Any] = {name: _text(item.get(name)) for name in ("product", "status", "buyer", "region")}
    told |= {"customer": _text(item["pk"]), "tags": tuple(item.get("tags", {}).get("SS", ()))}
    told |= {"net": _number(net), "pieces": _number(item.get("pieces", {"NULL": True}))}
    told["placed"] = None if "NULL" in at else _instant(at)
    return told


def _text(value: Any) -> str | None:
    if value is None or "NULL" in value:
        return None
    return value["B"].hex() if "B" in value else str(next(iter(value.values())))


def _number(value: Any) -> Decimal | None:
    return None if "NULL" in value else Decimal(next(iter(value.values())))


def _instant(value: Any) -> datetime:
    return datetime.fromtimestamp(int(value["N"]), UTC) if "N" in value else datetime.fromisoformat(value["S"])


def holds(said: Condition | None, told: Record) -> bool:
    if said is None:
        return True
    word, *about = said
    if word in ("and", "or"):
        return {"and": all, "or": any}[word](holds(part, told) for part in about)
    if word == "not":
        return not holds(about[0], told)
    found = told[about[0]]
    if word == "exists":
        return found is not None
    if word in ("in", "has"):
        return found in about[1] if word == "in" else about[1] in found
    return bool(word == "!=" if found is None else OPERATORS[word](found, about[1]))


def _groups(key: Key, told: Record) -> Sequence[str]:
    word, field, zone = key
    found = told[field]
    if word == "each":
        return tuple(found)
    if found is None:
        return ()
    if word == "levels":
        return [found[:at] for at in range(1, len(found) + 1) if found[at : at + 1] in ("", "/")]
    return (found,) if word == "by" else (found.astimezone(ZoneInfo(zone)).isoformat()[: LENGTHS[word]],)


def _measured(measure: Measure, some: Sequence[Record]) -> Any:
    word, field, where = measure
    mine = [told for told in some if holds(where, told)]
    if word == "count":
        return len(mine)
    found = [told[field] for told in mine if told[field] is not None]
    if word in BOUNDS:
        return Few(Counter(found)) if word == "few_by" else Counter(found)
    if word == "distinct":
        return len(set(found))
    if word == "sum":
        return sum(found, Decimal(0))
    if not found:
        return None
    if word == "stddev":
        return _deviation(list(map(Fraction, found)))
    return sum(found, Decimal(0)) / len(found) if word == "mean" else ENDS[word](found)


def _deviation(numbers: Sequence[Fraction]) -> Decimal:
    mean = sum(numbers, Fraction(0)) / len(numbers)
    variance = sum(((number - mean) ** 2 for number in numbers), Fraction(0)) / len(numbers)
    wide = Context(prec=99)
    return Context(prec=28).plus(wide.sqrt(wide.divide(Decimal(variance.numerator), Decimal(variance.denominator))))


def counted(drawn: Drawn, orders: Sequence[Record]) -> dict[tuple[str, ...], dict[str, Any]]:
    """What each group of a view counts, of these orders."""
    found = dict[tuple[str, ...], list[Record]]()
    for told in orders if drawn.of is None else _rows(drawn.of, orders):
        if holds(drawn.where, told):
            for group in product(*(_groups(key, told) for key in drawn.keys.values())):
                found.setdefault(group, []).append(told)
    return {
        group: {name: _measured(measure, some) for name, measure in drawn.measures.items()}
        for group, some in found.items()
    }


def totals(drawn: Drawn, orders: Sequence[Record]) -> dict[tuple[str, ...], dict[str, Any]]:
    """What all rows with the same keys but for the last one count together; only what can be told of them."""
    found, last = dict[tuple[str, ...], list[Record]](), [*drawn.keys.values()][-1]
    for told in orders if drawn.of is None else _rows(drawn.of, orders):
        if holds(drawn.where, told):
            for group in product(*(_groups(key, told) for key in drawn.keys.values())):
                found.setdefault(group[:-1], []).append(told)
    return {group: _together(drawn, some, [last]) for group, some in found.items()}


def windowed(
    drawn: Drawn, orders: Sequence[Record], lead: tuple[str, ...], since: datetime, until: datetime
) -> dict[str, Any]:
    """What the orders of a group by the first keys count together whose instants are in a window."""
    some, keys = list[Record](), [*drawn.keys.values()]
    for told in orders:
        if told["placed"] is not None and since <= told["placed"] < until and holds(drawn.where, told):
            groups = product(*(_groups(key, told) for key in keys))
            some += [told for group in groups if group[: len(lead)] == lead]
    return _together(drawn, some, keys[len(lead) :])


def _together(drawn: Drawn, some: Sequence[Record], varying: Sequence[Key]) -> dict[str, Any]:
    """What can be told of rows together that differ in these keys."""
    overlaps = any(word in OVERLAPPING for word, *_ in varying)
    words = {*ENDS} if overlaps else {*ENDS, *BOUNDS, "count", "sum", "mean", "stddev"}
    measures = {name: measure for name, measure in drawn.measures.items() if measure[0] in words}
    return {name: _measured(measure, some) for name, measure in measures.items()}


def ranked(drawn: Drawn, orders: Sequence[Record]) -> dict[tuple[str, ...], dict[str, Any]]:
    """The number of each value that is ranked, by the group."""
    assert drawn.ranked
    field, by = drawn.ranked
    word, of, where = drawn.measures[by]
    found = dict[tuple[str, ...], dict[str, list[Record]]]()
    for told in orders if drawn.of is None else _rows(drawn.of, orders):
        if holds(drawn.where, told) and holds(where, told) and told[field] is not None:
            for group in product(*(_groups(key, told) for key in drawn.keys.values())):
                found.setdefault(group, {}).setdefault(told[field], []).append(told)
    return {
        group: {value: _measured((word, of, None), some) for value, some in values.items()}
        for group, values in found.items()
    }


def _rows(drawn: Drawn, orders: Sequence[Record]) -> Iterator[Record]:
    for group, measured in counted(drawn, orders).items():
        yield {**dict(zip(drawn.keys, group, strict=True)), **measured}


# Drawing.


def draw(random: Random, number: int) -> list[Drawn]:
    """A declaration of orders, and perhaps one that is made of it."""
    keys = _keys(random)
    every = ["count", "sum", "mean", "stddev", "min", "max", "first", "last", "distinct", *BOUNDS]
    words = random.sample(every, random.randint(1, 4))
    measures = {
        f"m{at}": _drawn_measure(random, word, {key[1] for key in keys.values()}) for at, word in enumerate(words)
    }
    by = [name for name, (word, *_) in measures.items() if word in ("count", "sum")]
    left = [name for name in ("buyer", "product", "status") if name not in {key[1] for key in keys.values()}]
    ranked = (random.choice(left), random.choice(by)) if by and random.random() < 0.4 else None
    where = _maybe(random, 0.3, _drawn_condition)
    found = Drawn(f"View{number}", None, where, keys, measures, random.random() < 0.3, ranked)
    return [found, *([_upper(random, number, found)] if keys and random.random() < 0.4 else [])]


def _upper(random: Random, number: int, of: Drawn) -> Drawn:
    names = random.sample([*of.keys], random.randint(0, len(of.keys)))
    passed = [name for name, (word, *_) in of.measures.items() if word in ("count", "sum", "distinct")]
    measures: dict[str, Measure] = {"rows": ("count", "", None)}
    where = _maybe(random, 0.4, lambda random: _condition_on_rows(random, of, passed))
    if passed:
        words = random.sample(["sum", "mean", "stddev", "min", "max"], random.randint(1, 2))
        only = _maybe(random, 0.3, lambda random: _condition_on_rows(random, of, passed))
        measures |= {f"n{at}": (word, random.choice(passed), only) for at, word in enumerate(words)}
    if left := [name for name in of.keys if name not in names]:
        word = random.choice(["distinct", *BOUNDS])
        measures |= {"different": (word, random.choice(left), None)} if random.random() < 0.5 else {}
    keys = {name: ("by", name, "") for name in names}
    return Drawn(f"Upper{number}", of, where, keys, measures, random.random() < 0.3)


def _condition_on_rows(random: Random, of: Drawn, passed: Sequence[str]) -> Condition:
    """On a number of rows, or on a key: of each of these it holds, or does not, as it comes."""
    if passed and random.random() < 0.7:
        return random.choice([*OPERATORS]), random.choice(passed), random.choice([0, 1, 2, 50])
    name, (_, field, _) = random.choice([*of.keys.items()])
    return random.choice([*OPERATORS]), name, VALUES.get(field, "2026-10-31T22")


def _keys(random: Random) -> dict[str, Key]:
    period = random.choice([*LENGTHS])
    zone = "UTC" if period == "hour" else random.choice(ZONES)
    every: dict[str, Key] = {
        "customer": ("by", "customer", ""),
        "product": ("by", "product", ""),
        "tag": ("each", "tags", ""),
        "period": (period, "placed", zone),
        "status": ("by", "status", ""),
        "region": ("levels", "region", ""),
    }
    return {name: every[name] for name in random.sample([*every], random.choice([0, 1, 1, 1, 2, 2, 3]))}


def _drawn_measure(random: Random, word: str, grouped: set[str]) -> Measure:
    if word == "distinct" or word in BOUNDS:
        field = random.choice([name for name in ("buyer", "product", "status") if name not in grouped])
        return word, field, _maybe(random, 0.4, _drawn_condition) if word in BOUNDS else None
    numbers = ["placed"] if word in ("first", "last") else ["net", "pieces"]
    field = "" if word == "count" else random.choice(numbers)
    return word, field, _maybe(random, 0.4, _drawn_condition)


def _maybe(random: Random, chance: float, drawing: Callable[[Random], Any]) -> Any:
    return drawing(random) if random.random() < chance else None


def _drawn_condition(random: Random, depth: int = 2) -> Condition:
    if depth and random.random() < 0.4:
        parts = [_drawn_condition(random, depth - 1) for _ in range(2)]
        return random.choice([("and", *parts), ("or", *parts), ("not", parts[0])])
    return random.choice(
        [
            (random.choice(["=", "!="]), "status", random.choice(STATUSES)),
            ("in", "product", tuple(random.sample(PRODUCTS, 2))),
            (random.choice(["<", "<=", ">", ">="]), "net", random.randint(1, 99)),
            ("has", "tags", random.choice(TAGS)),
            ("exists", random.choice(["buyer", "net"])),
            (random.choice(["<", ">="]), "placed", datetime(2026, 10, 31, random.randint(20, 23), tzinfo=UTC)),
        ]
    )
