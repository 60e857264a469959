"""What the register must name, derived anew from the records in quarantine."""

from contextlib import suppress

from edgewise.derived import Copies, Stated
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key, join
from edgewise.dynamodb.table import Table, TransactionRefusedError
from edgewise.dynamodb.writes import Check, Condition
from edgewise.stream import quarantine_keys, quarantine_patterns
from edgewise.stream.register import Register, register, replacements


def told(part: Item) -> Stated:
    """What a part of a record says of the register."""
    return quarantine_keys.REGISTER, frozenset({join(*quarantine_keys.parse(*key_of(part)))})


def said(item: Item) -> Stated:
    """What the register says."""
    shards = item["Shards"]["M"].items()
    named = frozenset(join(shard, string(name)) for shard, names in shards for name in names["L"])
    return quarantine_keys.REGISTER, named


def put_right(table: Table, _: Key) -> None:
    """Register the records in quarantine that are not registered, and forget those that are not in quarantine.

    Raises QuarantineFullError.
    """
    for shard, sequence in _listed(table):
        known = register(table)
        if not known.has(shard, sequence):
            _replace(
                table, known, known.with_records(shard, [sequence]), Check(_first(shard, sequence), Condition.PRESENT)
            )
    for shard, names in register(table).shards.items():
        for sequence in names:
            known = register(table)
            if known.has(shard, sequence) and table.get(_first(shard, sequence)) is None:
                _replace(table, known, known.without(shard, sequence), Check(_first(shard, sequence), Condition.ABSENT))


def _replace(table: Table, known: Register, changed: Register, check: Check) -> None:
    with suppress(TransactionRefusedError):  # somebody else was faster, and keeps both in step
        table.transact([*replacements(known, changed), check])


def _first(shard: str, sequence: str) -> Key:
    return quarantine_keys.quarantine(shard, sequence, 1)


def _listed(table: Table) -> list[tuple[str, str]]:
    found = pages.every(table, quarantine_patterns.RECORDS)
    return [quarantine_keys.parse(*key_of(item)) for page in found for item in page.items]


COPIES = Copies(
    name="QUARANTINE_REGISTER",
    copies=("QUARANTINE_REGISTER",),
    originals=("QUARANTINE",),
    told=told,
    said=said,
    single=True,
    put_right=put_right,
)
