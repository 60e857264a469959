"""The single values in what a release writes and answers, as texts that can be compared and shown.

What travels packed, to aggregates that other shards write, is unpacked, so that each change stands for its aggregate.
Libraries compress in different ways, so the packed texts themselves say nothing.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from edgewise import AggregateId, Item, Key
from edgewise.aggregates import packed_checkpoints
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.carriers.carrying import CARRIED
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Observations
from edgewise.stream.windows import Waiting, unpacked

# In place of an item's type: what a batch leaves to the next one of its shard.
ANSWER: Final = "answer"
NOWHERE: Final = Key("", "")
_TYPES: Final = frozenset({"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"})


class Place(NamedTuple):
    """Where a value is: the type and key of its item, and where in that. Of which `type` a release may count otherwise.

    In what travels to another aggregate, `type` is that of the aggregate.
    """

    type: str
    key: Key
    where: str


Values = Mapping[Place, str]


def values(catalog: Catalog, written: Mapping[Key, Item | None], answer: Mapping[str, Any]) -> Values:
    """All values in these items and in this answer; an item that was removed has one, which says so."""
    found = dict(_of_answer(catalog, answer))
    for key, item in written.items():
        found |= dict(_of_item(catalog, key, item)) if item else {Place("?", key, "item"): "removed"}
    return found


def _of_item(catalog: Catalog, key: Key, item: Item) -> Iterator[tuple[Place, str]]:
    of = item["Type"]["S"] if "Type" in item else "?"
    carried = carrying.sent(catalog, item)
    brought = {about: Effect(Checkpoint(0, 0), each.changes, {}, made=each.made) for about, each in carried.items()}
    yield from _travelling(key, "brings to", brought.items())
    for name, value in item.items():
        if not (carried and name == CARRIED):
            yield from ((Place(of, key, where), text) for where, text in _leaves(value, name))


def _of_answer(catalog: Catalog, answer: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    # As Lambda gets it: without tuples.
    plain = json.loads(json.dumps(answer))
    state = plain.pop("state", None) or {}
    if state:
        waiting = unpacked(catalog, Waiting.of(state).packed)
        yield from _travelling(NOWHERE, "waits for", ((about, each) for about, of in waiting.items() for each in of))
        state = {name: value for name, value in state.items() if name != "waiting"}
    yield from ((Place(ANSWER, NOWHERE, where), text) for where, text in _leaves([plain, state], ""))


def _travelling(key: Key, how: str, effects: Iterable[tuple[AggregateId, Effect]]) -> Iterator[tuple[Place, str]]:
    for about, effect in effects:
        where = f"{how} {json.dumps(about.plain[1:])}"
        told = f"+{_cells(effect.added)} -{_cells(effect.removed)} {effect.made or ''}".rstrip()
        yield Place(about.type, key, f"{where}, record {effect.checkpoint.sequence}"), told


def _cells(observations: Observations) -> str:
    return str({name: [str(each) for each in seen if each is not None] for name, seen in sorted(observations.items())})


def _leaves(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """The single values of something nested, each with its path; DynamoDB's types are no part of it."""
    if isinstance(value, Mapping):
        if len(value) == 1 and (of := next(iter(value))) in _TYPES:
            yield from _leaves(value[of], where)
            return
        for name, each in value.items():
            yield from _leaves(each, f"{where}.{name}")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _leaves(each, f"{where}[{number}]")
    elif isinstance(value, bytes):
        yield where, str(packed_checkpoints.unpack(value)) if where == "Seqs" else value.hex()
    else:
        yield where, str(value)
