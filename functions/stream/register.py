"""The register: one small item that is read with each batch of the stream, strongly consistent.

It names every record in quarantine, because aggregates that pass one must note it as missing. It is bounded: what does
not fit is not quarantined, and the consumer stops until people have acted. And it has the history of partial
aggregates, the one by which all go: a deployment says only how many partial aggregates it wants from now on.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from functions import clock
from functions.aggregates.checkpoints import Quarantined
from functions.aggregates.partials import NO_PARTIALS, Partials
from functions.dynamodb.attributes import Item, integer, key_item, n, s, string
from functions.dynamodb.table import RefusedError, Table
from functions.dynamodb.writes import Put, at_version
from functions.errors import PassingError
from functions.stream import quarantine_keys

# Each adds 45 bytes to the register, and up to 18 to every aggregate of its shard: 1,000 leave both far from 400 KB.
LIMIT = 1000


class QuarantineFullError(PassingError):
    """So many records can't be understood that this is no exception: nothing more is passed over."""

    def __init__(self) -> None:
        super().__init__(f"{LIMIT} records are in quarantine: fix what reads them, then redrive")


@dataclass(frozen=True)
class Register:
    """The records in quarantine, by shard, as they stand in keys; and how many partial aggregates there have been."""

    version: int = 0
    shards: Mapping[str, frozenset[str]] = field(default_factory=dict)
    partials: Partials = NO_PARTIALS

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(map(len, self.shards.values()))

    @property
    def quarantined(self) -> Quarantined:
        """Their numbers by shard; records without a number have no place in a shard."""
        return {
            shard: frozenset(int(each) for each in names if each.isdecimal()) for shard, names in self.shards.items()
        }

    def has(self, shard: str, sequence: str) -> bool:
        """Whether the record is in quarantine."""
        return sequence in self.shards.get(shard, ())

    def with_record(self, shard: str, sequence: str) -> "Register":
        """The register with one record more; raises QuarantineFullError."""
        if self.count >= LIMIT:
            raise QuarantineFullError
        return self._with({**self.shards, shard: self.shards.get(shard, frozenset()) | {sequence}})

    def without(self, shard: str, sequence: str) -> "Register":
        """The register with one record less; a shard without any is not kept."""
        shards = {**self.shards, shard: self.shards[shard] - {sequence}}
        return self._with({shard: names for shard, names in shards.items() if names})

    def _with(self, shards: Mapping[str, frozenset[str]]) -> "Register":
        return replace(self, version=self.version + 1, shards=shards)


def register(table: Table) -> Register:
    """The register as it is now."""
    item = table.get(quarantine_keys.REGISTER)
    if item is None:
        return Register()
    shards = {shard: frozenset(map(string, names["L"])) for shard, names in item["Shards"]["M"].items()}
    return Register(integer(item["Version"]), shards, Partials.parse(string(item["Partials"])))


def ask_for_partials(table: Table, known: Register, wanted: int) -> None:
    """Go on with so many partial aggregates from a little later on, if that is a change.

    What is at hand is earlier, so it goes by the history that is known already. If the register is being changed by
    somebody else, a later batch asks again.
    """
    partials = known.partials.extended(wanted, clock.now())
    if partials != known.partials:
        with suppress(RefusedError):
            table.write(replacement(replace(known, version=known.version + 1, partials=partials)))


def replacement(changed: Register) -> Put:
    """The write of a register in place of the one that it was made from.

    It is never deleted: its version must not begin anew.
    """
    item: Item = key_item(quarantine_keys.REGISTER) | {
        "Type": s("QUARANTINE_REGISTER"),
        "Version": n(changed.version),
        "Partials": s(str(changed.partials)),
        "Shards": {"M": {shard: {"L": [s(name) for name in sorted(names)]} for shard, names in changed.shards.items()}},
    }
    return Put(item, at_version(changed.version - 1))
