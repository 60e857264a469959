"""Mutants of the mark, by which an aggregate knows what is in."""

from dataclasses import replace

from delivery.reader import Reader
from functions.aggregates.aggregate import Aggregate, Mark, _alive, _moved
from functions.handlers import edge_aggregator
from functions.stream import changes
from tests.delivery.mutants.changes import Edit
from tests.delivery.mutants.mutant import Mutant
from tests.delivery.mutants.trial import CHAT, RESIDENTS

OTHER_BOUNDARIES = CHAT.under(rewound=0.3, short_batch=0.5)
_COVERED = "sequence <= self.sequence"
_CANCELLED = "all(not each.counts and each.added == each.removed for each in fold(fresh).values())"

MARKS = (
    Mutant("no mark is asked", CHAT.under(answer_lost=0.3), Edit(Mark.covers, _COVERED, "False")),
    Mutant(
        "records are told apart within a batch only",
        CHAT.under(repeated=0.3),
        Edit(Mark.covers, _COVERED, "False"),
        Edit(changes.batch, "in records", "in {each['eventID']: each for each in records}.values()"),
    ),
    Mutant("the last record is not covered", CHAT.under(repeated=0.3), Edit(Mark.covers, "<=", "<")),
    Mutant(
        "sequence numbers are compared as text",
        CHAT,
        Edit(Mark.covers, _COVERED, "str(sequence) <= str(self.sequence)"),
    ),
    Mutant(
        "the mark is the first record's",
        CHAT.under(zombie_after=0.4),
        Edit(_moved, "fresh[-1].mark if", "fresh[0].mark if"),
    ),
    Mutant(
        "what cancels itself leaves no mark",
        replace(OTHER_BOUNDARIES, checkpoints_anywhere=True),
        Edit(Aggregate.absorb, "not fresh:", f"{_CANCELLED}:"),
    ),
    Mutant(
        "a lane's mark is dropped as soon as another lane moves",
        replace(OTHER_BOUNDARIES, stories=RESIDENTS.stories),
        Edit(_alive, "newest - mark.at <= MARK_LIFETIME", "mark.at == newest"),
    ),
    Mutant(
        "all lanes share one mark",
        RESIDENTS,
        Edit(edge_aggregator._lane, "str(shard)", '"shard"'),
    ),
    # As if the lane were followed through the stream's lineage: two children go on from the same mark.
    Mutant(
        "a shard shares the mark of its parent",
        RESIDENTS.under(split=0.3),
        Edit(Reader.event, "self.shard.id", "self.shard.parent or self.shard.id"),
    ),
)
