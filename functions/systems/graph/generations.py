"""Which generation of summaries readers see. It is changed by one write, so they see either generation as a whole."""

from weakref import WeakKeyDictionary

from edgewise import ConcurrentChangeError, Condition, Millis, Put, RefusedError, Table, clock, decoded
from edgewise.dynamodb.attributes import s
from edgewise.times import SECOND
from functions.systems.graph import keys, summary_codec
from functions.systems.graph.summary import Generation

# For how long a function remembers which generation is current.
KNOWN_FOR = 10 * SECOND

_known: WeakKeyDictionary[Table, tuple[Millis, Generation | None]] = WeakKeyDictionary()


def current(table: Table) -> Generation | None:
    """The current generation, as it is or was at most KNOWN_FOR ago; None if there is none or it has ended."""
    now = clock.now()
    known = _known.get(table)
    if known is None or known[0] <= now - KNOWN_FOR:
        known = _known[table] = (now, _stored(table))
    found = known[1]
    return found if found and now < found.ends else None


def make_current(table: Table, of: Generation) -> None:
    """Let readers see this generation, unless they see a later one; raises ConcurrentChangeError."""
    before = _stored(table)
    if before and before.at >= of.at:
        return
    unchanged = Condition(equal={"Run": s(before.run)}) if before else Condition.ABSENT
    try:
        table.write(Put(summary_codec.generation_item(of), unchanged))
    except RefusedError as refusal:
        raise ConcurrentChangeError("generation", of.run) from refusal


def _stored(table: Table) -> Generation | None:
    item = table.get(keys.CURRENT)
    return decoded(summary_codec.generation, item) if item else None
