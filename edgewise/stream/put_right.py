"""Puts right what is derived: index entries, copies, rankings, rosters. A plan only names what a check found wrong.

Each is derived anew from what is stored when it is put right, by strongly consistent reads, and written on condition
that this is still stored. So it is right beside a flow, in any order, and a second time it changes nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from edgewise.aggregates import keys, stored, whose
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.rankings import judging
from edgewise.aggregates.rankings.declaration import RankingId
from edgewise.clock import MayGoOn
from edgewise.derived import Derivations, same, without_entries
from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Condition, Put
from edgewise.sharding import codec as sharding
from edgewise.sharding.lists import FIRST
from edgewise.stream import writer
from edgewise.stream.writer import UnfinishedError

# A line of a plan, as plain JSON: what is wrong, by its name.
Line = Mapping[str, Any]


def entries(key: Key) -> Line:
    """The index entries of an item are wrong."""
    return {"wrong": "entries", "key": list(key)}


def copy(name: str, key: Key) -> Line:
    """One of the copies of this name is wrong, or missing."""
    return {"wrong": "copy", "of": name, "key": list(key)}


def ranking(named: Sequence[Any], members: Collection[str]) -> Line:
    """A ranking names some members although it must not, or the other way round."""
    return {"wrong": "ranking", "ranking": list(named), "members": sorted(members)}


def roster(about: Sequence[Any]) -> Line:
    """An aggregate is not on its roster as it should be."""
    return {"wrong": "roster", "about": list(about)}


def shard(key: Key) -> Line:
    """An item is in a shard that its list does not have."""
    return {"wrong": "shard", "key": list(key)}


def apply(table: Table, catalog: Catalog, derivations: Derivations, plan: Sequence[Line], may_go_on: MayGoOn) -> None:
    """Put everything right that is still wrong.

    Raises UnfinishedError, UnjudgedError, QuarantineFullError, and KeyError, TypeError or ValueError for a line that
    can't be understood.
    """
    for number, line in enumerate(plan):
        if not may_go_on():
            raise UnfinishedError(number, len(plan) - number)
        match line["wrong"]:
            case "entries":
                _entries(table, catalog, derivations, Key(*line["key"]))
                # Its key may have named a shard of another list, which has more of them than its own.
                _shard(table, derivations, Key(*line["key"]))
            case "shard":
                _shard(table, derivations, Key(*line["key"]))
            case "copy":
                derivations.copies[line["of"]].put_right(table, Key(*line["key"]))
            case "ranking":
                found = RankingId.named(catalog.kinds, line["ranking"])
                writer.judge(table, dict.fromkeys(map(found.aggregate, line["members"])), may_go_on)
            case "roster":
                _roster(table, catalog, line["about"], may_go_on)
            case other:
                raise ValueError(f"nothing is called {other}")


def _entries(table: Table, catalog: Catalog, derivations: Derivations, key: Key) -> None:
    item = table.get(key)
    if item is None:
        return
    with suppress(RefusedError):  # whoever wrote it meanwhile wrote its entries, too
        if whose.is_aggregates(catalog.kinds, string(item["Type"])):
            _aggregate(table, catalog, item)
        elif not same(right := derivations.right_entries(item), item):
            table.write(Put(without_entries(item) | right, Condition.as_read(item)))


def _shard(table: Table, derivations: Derivations, key: Key) -> None:
    """Move an item into a shard that its list has; its list may have been widened by now."""
    item = table.get(key)
    declared = derivations.shards.get(string(item["Type"])) if item else None
    found = declared.shard(item) if item and declared else None
    if item and declared and declared.moved and found:
        history = table.get(found.history)
        there = sharding.history(history)[-1].shards if history else FIRST
        if found.number > there:
            with suppress(RefusedError):  # whoever wrote it meanwhile put it into a shard
                table.write(Put(declared.moved(item, (found.number - 1) % there + 1), Condition.as_read(item)))


def _aggregate(table: Table, catalog: Catalog, item: Item) -> None:
    """A version of an aggregate belongs to one content: entries, and what parts derive, come with the next one."""
    found = stored.aggregate(whose.about(catalog.kinds, item), item)
    following = replace(found, version=found.version + 1)
    right = following.derived()
    if right is not following or not same(stored.entries(found), item):
        table.put_version(stored.aggregate_item(right), found.version)


def _roster(table: Table, catalog: Catalog, plain: Sequence[Any], may_go_on: MayGoOn) -> None:
    """Enrol it first, as every writer does; then let it say so, and its rankings look at it once more."""
    about = catalog.named(plain)
    found = stored.aggregate(about, table.get(keys.of(about)))
    right = found.to_put()
    judging.enrol(table, [right])
    if right != found:
        with suppress(RefusedError):  # its writer has enrolled it
            table.put_version(stored.aggregate_item(replace(right, version=found.version + 1)), found.version)
    writer.judge(table, {about: None}, may_go_on)
