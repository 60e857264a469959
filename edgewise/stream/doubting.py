"""What readers learn of records that can't be read: what they must doubt, and until when.

A record is *announced* before any aggregate passes it, and enters quarantine only when all before it is in. So there is
no moment at which an aggregate lacks it and nobody says so. If an invocation dies in between, its batch comes again:
what it has announced is then set aside, or read after all.
"""

from collections.abc import Iterable, Sequence

from edgewise import clock
from edgewise.aggregates import doubts
from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME, Checkpoint
from edgewise.aggregates.doubts import Doubt, Names
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import Table
from edgewise.stream import changes, register, writer
from edgewise.stream.changes import Unclear
from edgewise.stream.dispatch import position
from edgewise.stream.register import Register
from edgewise.times import Millis


def names(of: Iterable[Doubt]) -> Names:
    """What the register calls all of these."""
    return frozenset(map(doubts.name, of))


def announce(table: Table, known: Register, shard: str, unclear: Iterable[Unclear]) -> Register:
    """Let readers doubt what these records of a batch concern, which are to be set aside once the batch is in.

    Leaves out those that the shard's position covers: they were read, or have left quarantine for good. Returns the
    register as it is then; `known` is the one before.
    """
    found = {
        number: names(error.doubts)
        for record, error in unclear
        if error.doubts and (number := changes.number(record)) is not None
    }
    if not found:
        return known
    reached = position(table, shard)
    new = {f"{number:040}": each for number, each in found.items() if not (reached and reached.covers(number))}
    return register.change(table, lambda now: now.with_doubts(shard, new, clock.now())) if new else known


def settle(table: Table, known: Register, shard: str, taken: Sequence[int], behind: int | None) -> None:
    """Forget what an invocation that died had announced of the records that are in now; these are their numbers.

    `known` is the register before the batch. What the batch itself has announced is in quarantine by now. `behind`: the
    number behind which the shard was read again, too; None: it was not. What lies before was given up, perhaps: it is
    doubted until the last line has noted what lacks it, or give_up has.
    """
    if not taken or not known.announced(shard):
        return
    first, last = (min(taken) if behind is None else behind + 1), max(taken)
    register.change(
        table, lambda now: now.without_doubts(shard, [n for n in now.announced(shard) if first <= int(n) <= last])
    )


def give_up(table: Table) -> None:
    """Call lacking what was announced so long ago that no batch can bring it any more, nor a sign that it was read.

    Only people can tell then: they recount what is doubted, or vouch for it.
    """
    before = clock.now() - CHECKPOINT_LIFETIME
    register.change(table, lambda known: known.without_announced(before))


def lack(table: Table, shard: str, at: Millis, of: Iterable[Doubt], why: str, may_go_on: MayGoOn) -> None:
    """Note on the aggregates that a record of this time concerns, as far as they are known, that they will lack it.

    Raises what writer.deprive raises.
    """
    # No record has the number 0: no checkpoint moves.
    batch = {about: [Effect(Checkpoint(0, at), {}, {})] for about in of if isinstance(about, AggregateId)}
    if batch:
        quarantined = register.register(table).quarantined
        writer.deprive(table, shard, batch, quarantined, may_go_on, why, by_edges=True)


def trust(table: Table, name: str, known: Register) -> bool:
    """Let readers trust again what has this name, and lacked a record that is gone: it has been counted anew.

    `known`: the register before it was counted. Returns False, and does nothing, if that has changed since: what is
    doubted by the same name now may have gone after the counting.
    """
    now = register.change(table, lambda now: now.trusting(name) if now.version == known.version else now)
    return name not in now.lacking | now.filling
