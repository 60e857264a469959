"""The register of quarantine: one small item that names every record in it, read with each batch of the stream.

Aggregates that pass a record in quarantine must know it, to note it as missing; so the register is read strongly
consistent, and it is bounded: what does not fit is not quarantined, and the consumer stops until people have acted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from functions.domain.aggregates import Held
from functions.store import keys
from functions.store.attributes import Item, integer, key_item, n, s, string
from functions.store.table import Table
from functions.store.writes import Put, at_version

# Each adds 45 bytes to the register, and up to 18 to every aggregate of its lane: 1,000 leave both far from 400 KB.
LIMIT = 1000


class QuarantineFullError(Exception):
    """So many records can't be understood that this is no exception: nothing more is passed over."""

    def __init__(self) -> None:
        super().__init__(f"{LIMIT} records are in quarantine: fix what reads them, then redrive")


@dataclass(frozen=True)
class Register:
    """The records in quarantine: by lane, their sequence numbers as they stand in keys."""

    version: int = 0
    lanes: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self.lanes.values()))

    @property
    def held(self) -> Held:
        """Their numbers by lane; records without a number have no place in a lane."""
        return {lane: frozenset(int(each) for each in names if each.isdecimal()) for lane, names in self.lanes.items()}

    def has(self, lane: str, sequence: str) -> bool:
        """Whether the record is in quarantine."""
        return sequence in self.lanes.get(lane, ())

    def with_record(self, lane: str, sequence: str) -> "Register":
        """The register with one record more; raises QuarantineFullError."""
        if self.count >= LIMIT:
            raise QuarantineFullError
        return Register(self.version + 1, {**self.lanes, lane: self.lanes.get(lane, frozenset()) | {sequence}})

    def without(self, lane: str, sequence: str) -> "Register":
        """The register with one record less; a lane without any is not kept."""
        lanes = {**self.lanes, lane: self.lanes[lane] - {sequence}}
        return Register(self.version + 1, {lane: names for lane, names in lanes.items() if names})


def register(table: Table) -> Register:
    """The register as it is now."""
    item = table.get(keys.quarantine.REGISTER)
    if item is None:
        return Register()
    lanes = {lane: frozenset(map(string, names["L"])) for lane, names in item["Lanes"]["M"].items()}
    return Register(integer(item["Version"]), lanes)


def replacement(changed: Register) -> Put:
    """The write of a register in place of the one that it was made from.

    It is never deleted: its version must not begin anew.
    """
    item: Item = key_item(keys.quarantine.REGISTER) | {
        "Type": s("QUARANTINE_REGISTER"),
        "Version": n(changed.version),
        "Lanes": {"M": {lane: {"L": [s(name) for name in sorted(names)]} for lane, names in changed.lanes.items()}},
    }
    return Put(item, at_version(changed.version - 1))
