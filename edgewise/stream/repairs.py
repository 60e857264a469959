"""Applies the plan of a repair: adds to each aggregate what it lacked at one instant.

A repair is one more lane of the writer. Each aggregate absorbs it like the record of a shard, numbered by its instant,
so it counts once however often it is applied, wherever an attempt ended, and whatever the stream writes beside it. A
later repair of the same aggregate, of whichever kind, moves that checkpoint on, so an older plan can't add anything to
it any more: what it would add may have been put right meanwhile.

What is added counts the sources as they were at that instant, and none of them changed for some time before and after.
So records from before it have been counted, even if they come late, or come again to an aggregate that is new and has
no checkpoint for their shard.

A plan says what is missing against what is stored one rank below. If that is repaired too, the stream carries its
change upwards, like every other change.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from edgewise import clock
from edgewise.aggregates import additions
from edgewise.aggregates.additions import Addition
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.knew import Knew
from edgewise.aggregates.recounts import going_on
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import Table
from edgewise.stream import incomplete, writer
from edgewise.stream.register import Register
from edgewise.stream.verification import RepairRefusedError, close
from edgewise.stream.writer import Written
from edgewise.times import DAY, Millis, rfc_3339

# Checkpoints are kept for longer, so until then every aggregate knows whether it has absorbed the plan.
LIFETIME: Millis = DAY


class Line(NamedTuple):
    """What a plan adds to an aggregate, of which it `knew` these checkpoints.

    `close`: what is open for it is passed on first, and a later plan repairs it. `together`: the number of what depends
    on each other; 0 if nothing does.

    What is open may have the extremes of what was removed. Passed on later, they would undo what is recounted now.
    """

    about: AggregateId
    adds: Addition
    close: bool
    knew: Knew
    together: int = 0


def apply(table: Table, known: Register, at: Millis, plan: Sequence[Line], may_go_on: MayGoOn) -> Written:
    """Add to some aggregates what they lacked at this instant.

    Those that have absorbed it stay as they are; so do those that the plan does not know any more, and what belongs
    together with them, until the next one.
    Raises RepairRefusedError for a plan that is too old, and what `writer.apply` raises: it may then be applied again.
    """
    if clock.now() - at > LIFETIME:
        raise RepairRefusedError(f"the plan of {rfc_3339(at)} is more than a day old: reconcile again")
    place = Checkpoint(at, at)
    for line in plan:
        if line.close:
            with suppress(RepairRefusedError):  # it is being changed, so it will be asked again
                close(table, line.about)
    adding = [line for line in _whole(table, place, plan) if not line.close]
    batch = {line.about: [Effect(place, additions.observations(line.adds), {}, line.knew)] for line in adding}
    written = writer.apply(table, REPAIRS, batch, known.quarantined, may_go_on=may_go_on)
    for about in batch:
        # What waits for an aggregate must not wait for its next change.
        going_on.go_on_after(table, about, partial(incomplete.note_unread, table))
    return written


def _whole(table: Table, place: Checkpoint, plan: Sequence[Line]) -> Sequence[Line]:
    """The lines of which none is left out that depends on them, or on which they depend.

    The stream carries what one of them adds to the others: alone, it would make these wrong.
    """
    linked = {line.about: line for line in plan if line.together}
    unknown = {line.together for about, line in linked.items() if not _knows(readers.whole(table, about), place, line)}
    return [line for line in plan if line.together not in unknown]


def _knows(items: Sequence[Aggregate], place: Checkpoint, line: Line) -> bool:
    """Whether each item of an aggregate has absorbed the line, or may absorb it."""
    effect = Effect(place, {}, {}, line.knew)
    return all(_is_repaired(item, place) or item.is_known_to(effect) for item in items)


def _is_repaired(item: Aggregate, place: Checkpoint) -> bool:
    last = item.checkpoints.get(REPAIRS)
    return last is not None and last.covers(place.sequence)
