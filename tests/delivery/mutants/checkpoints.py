"""Mutants of the checkpoint, by which an aggregate knows what is in."""

from dataclasses import replace

from delivery.reader import Reader
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint, alive, moved
from edgewise.stream import changes, invocation
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import AUDITS, CHAT, RESIDENTS

OTHER_BOUNDARIES = CHAT.under(rewound=0.3, short_batch=0.5)
_COVERED = "sequence <= self.sequence"
_CANCELLED = "all(not each.counts and each.added == each.removed for each in fold(fresh).values())"

CHECKPOINTS = (
    Mutant("no checkpoint is asked", CHAT.under(answer_lost=0.3), Edit(Checkpoint.covers, _COVERED, "False")),
    Mutant(
        "records are told apart within a batch only",
        CHAT.under(repeated=0.3),
        Edit(Checkpoint.covers, _COVERED, "False"),
        Edit(changes.changes, "in records", "in {each['eventID']: each for each in records}.values()"),
    ),
    Mutant(
        "a record that is twice in a batch counts twice",
        CHAT.under(doubled=0.3),
        Edit(Aggregate.fresh, "in once.values()", "in effects"),
        Edit(changes.in_order, "placed[each] for each in sorted(placed)", "each for each in every if number(each)"),
    ),
    Mutant("the last record is not covered", CHAT.under(repeated=0.3), Edit(Checkpoint.covers, "<=", "<")),
    Mutant(
        "sequence numbers are compared as text",
        CHAT,
        Edit(Checkpoint.covers, _COVERED, "str(sequence) <= str(self.sequence)"),
    ),
    Mutant(
        "the checkpoint is the first record's",
        AUDITS.under(zombie_after=0.4),
        Edit(moved, "newest = fresh[-1]", "newest = fresh[0]"),
    ),
    Mutant(
        "what cancels itself leaves no checkpoint",
        replace(OTHER_BOUNDARIES, checkpoints_anywhere=True),
        Edit(Aggregate.absorb, "if fresh else None", f"if not ({_CANCELLED}) else None"),
    ),
    Mutant(
        "a shard's checkpoint is dropped as soon as another shard moves",
        replace(OTHER_BOUNDARIES, stories=RESIDENTS.stories),
        Edit(alive, "newest - checkpoint.at <= lifetime(shard)", "checkpoint.at == newest"),
    ),
    Mutant(
        "all shards share one checkpoint",
        RESIDENTS,
        Edit(invocation.shard_of, "str(shard)", '"shard"'),
    ),
    # As if the shard were followed through the stream's lineage: two children go on from the same checkpoint.
    Mutant(
        "a shard shares the checkpoint of its parent",
        RESIDENTS.under(split=0.3),
        Edit(Reader.event, "self.shard.id", "self.shard.parent or self.shard.id"),
    ),
)
