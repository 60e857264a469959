"""The register: one small item that is read with each batch of the stream, strongly consistent.

It names every record in quarantine, because aggregates that pass one must note it as missing. It is bounded: what does
not fit is not quarantined, and the consumer stops until people have acted. And it has the history of slots, the one
by which all go: a deployment says only how many slots it wants from now on.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from functions import clock
from functions.aggregates.aggregate import Held
from functions.aggregates.slots import NO_SLOTS, Slots
from functions.dynamodb.attributes import Item, integer, key_item, n, s, string
from functions.dynamodb.table import RefusedError, Table
from functions.dynamodb.writes import Put, at_version
from functions.errors import PassingError
from functions.stream import quarantine_keys

# Each adds 45 bytes to the register, and up to 18 to every aggregate of its lane: 1,000 leave both far from 400 KB.
LIMIT = 1000


class QuarantineFullError(PassingError):
    """So many records can't be understood that this is no exception: nothing more is passed over."""

    def __init__(self) -> None:
        super().__init__(f"{LIMIT} records are in quarantine: fix what reads them, then redrive")


@dataclass(frozen=True)
class Register:
    """The records in quarantine: by lane, their sequence numbers as they stand in keys; and the history of slots."""

    version: int = 0
    lanes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    slots: Slots = NO_SLOTS

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
        return self._with({**self.lanes, lane: self.lanes.get(lane, frozenset()) | {sequence}})

    def without(self, lane: str, sequence: str) -> "Register":
        """The register with one record less; a lane without any is not kept."""
        lanes = {**self.lanes, lane: self.lanes[lane] - {sequence}}
        return self._with({lane: names for lane, names in lanes.items() if names})

    def _with(self, lanes: Mapping[str, frozenset[str]]) -> "Register":
        return replace(self, version=self.version + 1, lanes=lanes)


def register(table: Table) -> Register:
    """The register as it is now."""
    item = table.get(quarantine_keys.REGISTER)
    if item is None:
        return Register()
    lanes = {lane: frozenset(map(string, names["L"])) for lane, names in item["Lanes"]["M"].items()}
    return Register(integer(item["Version"]), lanes, Slots.parse(string(item["Slots"])))


def ask_for_slots(table: Table, known: Register, wanted: int) -> None:
    """Go on with so many slots from a little later on, if that is a change.

    What is at hand is earlier, so it goes by the history that is known already. If the register is being changed by
    somebody else, a later batch asks again.
    """
    slots = known.slots.extended(wanted, clock.now())
    if slots != known.slots:
        with suppress(RefusedError):
            table.write(replacement(replace(known, version=known.version + 1, slots=slots)))


def replacement(changed: Register) -> Put:
    """The write of a register in place of the one that it was made from.

    It is never deleted: its version must not begin anew.
    """
    item: Item = key_item(quarantine_keys.REGISTER) | {
        "Type": s("QUARANTINE_REGISTER"),
        "Version": n(changed.version),
        "Slots": s(str(changed.slots)),
        "Lanes": {"M": {lane: {"L": [s(name) for name in sorted(names)]} for lane, names in changed.lanes.items()}},
    }
    return Put(item, at_version(changed.version - 1))
