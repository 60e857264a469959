"""The lock: one run at a time. It expires: a run that ends without a word does not lock out others for good."""

from collections.abc import Sequence
from dataclasses import dataclass

from edgewise import (
    ConcurrentChangeError,
    Condition,
    Delete,
    Item,
    Millis,
    NotFoundError,
    Put,
    RefusedError,
    Table,
    TransactionRefusedError,
    decoded,
    rfc_3339,
)
from edgewise.dynamodb.attributes import n, s
from edgewise.dynamodb.throttling import rounds
from edgewise.dynamodb.writes import Action
from functions.errors import AlreadyRunningError, LostLockError
from functions.systems.checks import codec, keys, store
from functions.systems.checks.entity import Lock, Run

EXPIRED = "it ended without a word, and its lock expired"
# Positions in the transaction of `begin`.
_LOCK, _RUN = range(2)


@dataclass(frozen=True)
class Begun:
    """The run that an execution has begun, and whether this ended one whose lock had expired."""

    run: str
    ended_another: bool = False


def begin(table: Table, run: Run, lock: Lock) -> Begun:
    """Store a run and lock out all others. The same execution may repeat this, and gets the run that it has begun.

    Raises AlreadyRunningError while another run holds the lock, and ConcurrentChangeError if a run of this second has
    already ended.
    """
    holder: Lock | None = None
    ending: Sequence[Action] = ()
    for _ in rounds():
        ending = _ending(table, holder, lock.since) if holder else ()
        free = _unchanged(holder) if holder else Condition.ABSENT
        try:
            table.transact([Put(codec.lock_item(lock), free), Put(codec.run_item(run), Condition.ABSENT), *ending])
            break
        except TransactionRefusedError as refusal:
            if _LOCK in refusal.found:
                holder = _lock(refusal.found[_LOCK])
                if holder and holder.execution == lock.execution:
                    return Begun(holder.run)
                if holder and holder.until > lock.since:
                    raise AlreadyRunningError(holder.run, rfc_3339(holder.since)) from refusal
            elif _RUN in refusal.found:
                raise ConcurrentChangeError("run", run.name) from refusal
    return Begun(run.name, ended_another=bool(ending))


def renew(table: Table, run: str, now: Millis) -> Lock:
    """Let a run hold the lock for another lease; raises LostLockError if it does not hold it any more."""
    renewed = held(table, run).renewed(now)
    try:
        table.write(Put(codec.lock_item(renewed), _of(run)))
    except RefusedError as refusal:
        raise LostLockError(run) from refusal
    return renewed


def held(table: Table, run: str) -> Lock:
    """The lock that a run holds; raises LostLockError if it does not hold it any more."""
    found = _lock(table.get(keys.LOCK))
    if found is None or found.run != run:
        raise LostLockError(run)
    return found


def release(table: Table, run: str) -> None:
    """Let others run; nothing happens if this run does not hold the lock any more."""
    try:
        table.write(Delete(keys.LOCK, _of(run)))
    except RefusedError:
        return


def _ending(table: Table, held: Lock, now: Millis) -> Sequence[Action]:
    """The write that ends the run whose lock has expired, unless it has ended or expired itself."""
    try:
        run = store.find(table, held.run)
    except NotFoundError:
        return ()
    return [store.ending(run.failed(now, EXPIRED))] if run.state == "running" else ()


def _lock(item: Item | None) -> Lock | None:
    return decoded(codec.lock, item) if item else None


def _unchanged(held: Lock) -> Condition:
    """The condition that the lock is as it was read: a run that renews it in between keeps it."""
    return Condition(equal={"Run": s(held.run), "Until": n(held.until)})


def _of(run: str) -> Condition:
    return Condition(equal={"Run": s(run)})
