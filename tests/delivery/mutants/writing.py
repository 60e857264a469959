"""Mutants of how aggregates are written: checkpoint and measures together, and only over what was read."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from functions import clock
from functions.aggregates import keys
from functions.aggregates.aggregate import Aggregate
from functions.aggregates.effects import Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.stored import aggregate, aggregate_item
from functions.dynamodb.attributes import Item, integer, key_of, n
from functions.dynamodb.table import Table
from functions.dynamodb.throttling import ThrottledError
from functions.dynamodb.writes import ABSENT, Condition, Delete, Put, at_version
from functions.stream.compare_and_set import Outcome, PutVersion, Writer
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import CHAT, RESIDENTS
from tests.delivery.simulated import SimulatedMemory, SimulatedTable, through

KILLED = CHAT.under(killed_before=0.4)
_PUT = "self.put_version("


def _in_two(first: Callable[[Item, Item], Item], writer: Writer, stored: Item | None) -> PutVersion:
    """Puts what `first` makes of the stored and the new item, then the new one."""

    def put(item: Item, replaces: int) -> None:
        if stored is None:
            writer.put_version(item, replaces)
            return
        writer.put_version(first(stored, item) | {"Version": item["Version"]}, replaces)
        writer.put_version(item | {"Version": n(integer(item["Version"]) + 1)}, replaces + 1)

    return put


def _measures_first(stored: Item, item: Item) -> Item:
    return item | {"Seqs": stored["Seqs"]}


def _checkpoint_first(stored: Item, item: Item) -> Item:
    return stored | {"Seqs": item["Seqs"]}


def _or_remove(writer: Writer) -> PutVersion:
    """Puts an aggregate, but removes one that stands for nothing any more."""

    def put(item: Item, replaces: int) -> None:
        if "Cells" in item:
            writer.put_version(item, replaces)
        elif replaces:
            writer.table.write(Delete(key_of(item), at_version(replaces)))

    return put


def _leaving_out_failures(write: Callable[..., Outcome]) -> Callable[..., Outcome]:
    def attempt(*arguments: Any) -> Outcome:
        try:
            return write(*arguments)
        except ThrottledError:
            return Outcome.CURRENT

    return attempt


def _add(writer: Writer, aggregate_id: AggregateId, effects: Sequence[Effect]) -> PutVersion:
    """An `ADD`: the table itself adds the effects to whatever it holds, each time that the request is sent."""
    table = cast(SimulatedMemory, writer.table)

    def send() -> None:
        key = keys.of(aggregate_id)
        stored = aggregate(aggregate_id, table.get(key))
        added = replace(stored, checkpoints={}).absorb(writer.shard, effects, clock.now(), writer.quarantined)
        assert added is not None
        summed = replace(added.aggregate, checkpoints={**stored.checkpoints, **added.aggregate.checkpoints})
        super(SimulatedTable, table).write(Put(aggregate_item(writer._fresh(replace(added, aggregate=summed)))))

    return lambda _item, _replaces: through(table.hook, send)


WRITING = (
    Mutant(
        "measures are written before the checkpoint",
        KILLED,
        Edit(Writer._absorbed, _PUT, "apart(self, item)(", {"apart": partial(_in_two, _measures_first)}),
    ),
    Mutant(
        "the checkpoint is written before the measures",
        KILLED,
        Edit(Writer._absorbed, _PUT, "apart(self, item)(", {"apart": partial(_in_two, _checkpoint_first)}),
    ),
    Mutant(
        "an emptied aggregate is removed with its checkpoints",
        CHAT.under(rewound=0.3, short_batch=0.5),
        Edit(Writer._absorbed, _PUT, "or_remove(self)(", {"or_remove": _or_remove}),
    ),
    Mutant(
        "nobody asks for the version",
        CHAT.under(zombie_beside=0.4),
        Edit(Table.put_version, "Put(item, at_version(replaces))", "Put(item)"),
    ),
    # First versions come from a clock that goes in seconds here.
    Mutant(
        "nobody asks for the version from the third write on",
        RESIDENTS.under(raced=0.5),
        Edit(Table.put_version, "at_version(replaces)", "at_version(replaces) if replaces % 1000 < 2 else None"),
    ),
    # With steps of one, a smaller version is always the one that was read; nothing would be wrong with `<` then.
    Mutant(
        "the higher version wins",
        RESIDENTS.under(raced=0.5),
        Edit(Aggregate._absorbed, "self.next_version(now)", "self.next_version(now) + len(fresh) - 1"),
        Edit(
            Table.put_version,
            "at_version(replaces)",
            'Condition(less={"Version": item["Version"]}) if replaces else ABSENT',
            {"Condition": Condition, "ABSENT": ABSENT},
        ),
    ),
    Mutant(
        "a refusal is taken for one's own earlier write",
        RESIDENTS.under(raced=0.5),
        Edit(Writer._absorbed, "return Outcome.REFUSED", "return Outcome.WRITTEN"),
    ),
    # It reads the checkpoints, so batches may be repeated, but the SDK sends a request whose answer was lost once more.
    Mutant(
        "numbers are added by the table",
        CHAT.under(write_repeated=0.5),
        Edit(Writer._absorbed, _PUT, "add(self, aggregate_id, effects)(", {"add": _add}),
    ),
    Mutant(
        "later records pass a failed write",
        CHAT.under(throttled=0.4),
        Edit(
            Writer.write_all,
            "self.write(read, each)",
            "leaving_out_failures(self.write)(read, each)",
            {"leaving_out_failures": _leaving_out_failures},
        ),
    ),
)
