"""Mutants of how aggregates are written: checkpoint and measures together, and only over what was read."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import Item, integer, key_of, n
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.dynamodb.writes import Delete, Put, Replacement, Reply
from edgewise.stream.compare_and_set import _Attempt, _Change, with_extremes
from edgewise.stream.outcomes import Ended, Outcome
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import AUDITS, BILLS, CHAT, RESIDENTS
from tests.delivery.simulated import SimulatedMemory, SimulatedTable, through

KILLED = AUDITS.under(killed_before=0.4)
_REPLACE = "self.write(replacement.put())"


def _in_two(first: Callable[[Item, Item], Item], table: Table, replacement: Replacement) -> None:
    """Replaces an item by what `first` makes of the stored and the new one, then by the new one."""
    stored, item = replacement.former, replacement.item
    if stored is None:
        table.write(replacement.put())
        return
    half = first(stored, item) | {"Version": item["Version"]}
    table.write(Replacement(half, stored).put())
    table.write(Replacement(item | {"Version": n(integer(item["Version"]) + 1)}, half).put())


def _measures_first(stored: Item, item: Item) -> Item:
    return item | {"Seqs": stored["Seqs"]}


def _checkpoint_first(stored: Item, item: Item) -> Item:
    return stored | {"Seqs": item["Seqs"]}


def _or_remove(table: Table, replacement: Replacement) -> None:
    """Replaces an aggregate, but removes one that stands for nothing any more."""
    if "Cells" in replacement.item:
        table.write(replacement.put())
    elif replacement.former:
        table.write(Delete(key_of(replacement.item), replacement.put().condition))


def _leaving_out_failures(attempt: _Attempt, changes: Sequence[_Change]) -> Iterator[tuple[AggregateId, Ended]]:
    try:
        yield from attempt._replace_all(changes)
    except ThrottledError:
        yield from ((change.after.id, Ended(Outcome.CURRENT)) for change in changes)


def _add(attempt: _Attempt, aggregate_id: AggregateId) -> Reply:
    """An `ADD`: the table itself adds the effects to whatever it holds, each time that the request is sent."""
    table, writer = cast(SimulatedMemory, attempt.to.table), attempt.to

    def send() -> None:
        key = keys.of(aggregate_id)
        stored, effects = aggregate(aggregate_id, table.get(key)), writer.batch[aggregate_id]
        added = replace(stored, checkpoints={}).absorb(writer.shard, effects, clock.now(), writer.quarantined)
        assert added is not None
        summed = replace(added.aggregate, checkpoints={**stored.checkpoints, **added.aggregate.checkpoints})
        found = with_extremes(table, replace(added, aggregate=summed), writer.may_go_on)
        super(SimulatedTable, table).write(Put(aggregate_item(found)))

    through(table.hook, send)
    return Reply.TAKEN


WRITING = (
    Mutant(
        "measures are written before the checkpoint",
        KILLED,
        Edit(Table.replace, _REPLACE, "apart(self, replacement)", {"apart": partial(_in_two, _measures_first)}),
    ),
    Mutant(
        "the checkpoint is written before the measures",
        KILLED,
        Edit(Table.replace, _REPLACE, "apart(self, replacement)", {"apart": partial(_in_two, _checkpoint_first)}),
    ),
    Mutant(
        "an emptied aggregate is removed with its checkpoints",
        BILLS.under(rewound=0.3, short_batch=0.5),
        Edit(Table.replace, _REPLACE, "or_remove(self, replacement)", {"or_remove": _or_remove}),
    ),
    Mutant(
        "nobody asks for the version",
        CHAT.under(zombie_beside=0.4),
        Edit(Replacement.put, "Put(self.item, replaces)", "Put(self.item)"),
    ),
    # First versions come from a clock that goes in seconds here.
    Mutant(
        "nobody asks for the version from the third write on",
        RESIDENTS.under(raced=0.5),
        Edit(
            Replacement.put,
            "Put(self.item, replaces)",
            'Put(self.item, None if self.former and integer(self.former["Version"]) % 1000 >= 2 else replaces)',
            {"integer": integer},
        ),
    ),
    # With steps of one, a smaller version is always the one that was read; nothing would be wrong with `<` then.
    Mutant(
        "the higher version wins",
        RESIDENTS.under(raced=0.5),
        Edit(Aggregate._absorbed, "self.next_version(now)", "self.next_version(now) + len(countable) - 1"),
        Edit(
            Replacement.put,
            'Condition(equal={"Version": self.former["Version"]})',
            'Condition(less={"Version": self.item["Version"]})',
        ),
    ),
    Mutant(
        "a refusal is taken for one's own earlier write",
        RESIDENTS.under(raced=0.5),
        Edit(_Attempt._replace_all, "change.refused if reply is Reply.REFUSED else", ""),
    ),
    # It reads the checkpoints, so batches may be repeated, but the SDK sends a request whose answer was lost once more.
    Mutant(
        "numbers are added by the table",
        CHAT.under(write_repeated=0.5),
        Edit(
            _Attempt._replace_all,
            "self.to.replace_many([change.replacement for change in changes])",
            "[add(self, change.after.id) for change in changes]",
            {"add": _add},
        ),
    ),
    Mutant(
        "later records pass a failed write",
        CHAT.under(throttled=0.4),
        Edit(
            _Attempt.together,
            "raise\n        yield from self._replace_all(changes)",
            "raise\n        yield from leaving_out_failures(self, changes)",
            {"leaving_out_failures": _leaving_out_failures},
        ),
    ),
    Mutant(
        "a throttled statement is taken for done",
        CHAT.by_statements.under(throttled=0.4),
        Edit(
            _Attempt._replace_all,
            "unclear.append(change)",
            "yield change.after.id, Ended(Outcome.CURRENT)",
        ),
    ),
    Mutant(
        "a refused statement is taken for done",
        RESIDENTS.by_statements.under(raced=0.5),
        Edit(_Attempt._replace_all, "change.refused if", "Ended(Outcome.CURRENT) if"),
    ),
    Mutant(
        "the replies are given to other statements",
        RESIDENTS.by_statements.under(raced=0.5),
        Edit(_Attempt._replace_all, "zip(changes, replies, strict=True)", "zip(changes, replies[::-1], strict=True)"),
    ),
)
