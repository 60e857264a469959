"""What is asked for in the table, and what was noted there."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from edgewise import AggregateId, Condition, Millis, Put, Table, clock, surroundings
from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates import stored
from edgewise.dynamodb.attributes import integer
from edgewise.dynamodb.pages import every
from edgewise.dynamodb.renewal import insist
from functions.systems.proof import codec, keys
from functions.systems.proof.entity import SLOW, WATCHED, Asked, Batch, Covered, Done, Fault, Kind, Number, Watch
from functions.systems.proof.verdict import Stored


class Looked(NamedTuple):
    """The watched numbers as they are stored, why they lack something, if they do, and their plain sums."""

    stored: Sequence[Stored]
    lacks: Sequence[str]
    plain: Sequence[int]


def asked(table: Table) -> Asked:
    """All that is asked for."""
    return codec.asked(table.get(keys.ASKED))


def log(table: Table, limit: int) -> list[Done]:
    """The last lines of the log, the newest first."""
    return [codec.done(item) for item in table.query(keys.log(limit)).items]


def ask(table: Table, kind: Kind, shard: str, may: Callable[[Asked], None]) -> Fault:
    """Ask for a fault, unless `may` raises; what slows the consumer begins at once."""

    def change(known: Asked) -> Asked:
        may(known)
        due = known.due(fault.at)
        return replace(due, slow_until=fault.at + SLOW) if kind == "slow" else replace(due, faults=(*due.faults, fault))

    fault = Fault(surroundings.token(4), kind, clock.now(), shard)
    if kind == "slow":
        _change(table, change, Done(fault, fault.at, shard, f"each write waits, for {SLOW // 1000} seconds"))
    else:
        _change(table, change)
    return fault


def taken(known: Asked, done: Done) -> list[Put]:
    """The writes by which a fault that was done leaves what is asked for, and enters the log: to be made together."""
    rest = codec.asked_item(known.without(done.fault))
    return [Put(rest, Condition.at_version(known.version)), Put(codec.done_item(done))]


def watch(table: Table, numbers: tuple[Number, ...], *, plain: bool) -> Watch:
    """Go on watching these numbers, or begin to."""

    def change(known: Asked) -> Asked:
        now = clock.now()
        going = known.watched(now)
        if going is None or (going.numbers, going.plain) != (numbers, plain):
            going = Watch(surroundings.token(4), now, now, numbers, plain)
        return replace(known, watch=replace(going, until=now + WATCHED))

    changed = _change(table, change).watch
    assert changed
    return changed


def look(table: Table, watch: Watch, abouts: Sequence[AggregateId]) -> Looked:
    """The numbers as they are now, and the plain sums beside them, if there are any, which are read together."""
    places = [aggregate_keys.of(about) for about in abouts]
    sums = [keys.plain(watch.id, position) for position in range(len(abouts) if watch.plain else 0)]
    found = table.get_many([*dict.fromkeys(places), *sums], consistent=True)
    aggregates = [
        stored.aggregate(about, found[key]) if key in found else None for about, key in zip(abouts, places, strict=True)
    ]
    counted = []
    for number, each in zip(watch.numbers, aggregates, strict=True):
        cells = each.cells if each else {}
        points = each.checkpoints if each else {}
        covered = {shard: Covered(point.sequence, point.missing) for shard, point in points.items()}
        count = cells[number.cell].count if number.cell in cells else 0
        counted.append(Stored(count, covered, each.repaired if each else 0))
    added = [integer(found[key]["Sum"]) if key in found else 0 for key in sums]
    return Looked(counted, [each.lacks if each else "" for each in aggregates], added)


def notes(table: Table, watch: Watch, since: Millis) -> list[Batch]:
    """The notes of all batches that were delivered since then."""
    pages = every(table, keys.notes(watch.id, since))
    return [codec.noted(item) for item in chain.from_iterable(page.items for page in pages)]


def _change(table: Table, by: Callable[[Asked], Asked], done: Done | None = None) -> Asked:
    """Replace what is asked for, and log it, together; raises OvertakenError if others do so all the time."""

    def attempt() -> Asked:
        known = asked(table)
        changed = by(known)
        put = Put(codec.asked_item(changed), Condition.at_version(known.version))
        if done:
            table.transact([put, Put(codec.done_item(done))])
        else:
            table.write(put)
        return changed

    return insist("what is asked for", attempt)
