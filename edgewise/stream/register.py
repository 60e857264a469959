"""The register: one small item that is read with each batch of the stream, strongly consistent.

It names every record in quarantine, because aggregates whose checkpoints pass one must note it as missing. It is
bounded: when it is full, nothing more is quarantined, and the consumer stops until people have acted. It also has the
history of the groups of carriers, which all invocations follow.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from edgewise import clock
from edgewise.aggregates.carriers.groups import ONE_GROUP, Groups
from edgewise.aggregates.checkpoints import Quarantined
from edgewise.dynamodb.attributes import Item, integer, key_item, n, s, string
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Condition, Put
from edgewise.errors import PassingError
from edgewise.stream import quarantine_keys

# Each record adds 45 bytes to the register, and up to 18 to every aggregate of its shard: with 1,000, both stay far
# below 400 KB.
LIMIT = 1000


class QuarantineFullError(PassingError):
    """The quarantine is full: with so many records that can't be understood, the consumer stops."""

    def __init__(self) -> None:
        super().__init__(f"{LIMIT} records are in quarantine: fix the code that reads them, then redrive them")


@dataclass(frozen=True)
class Register:
    """The sequence numbers of quarantined records, by shard, as in keys; and how many groups of carriers there are."""

    version: int = 0
    shards: Mapping[str, frozenset[str]] = field(default_factory=dict)
    groups: Groups = ONE_GROUP

    @property
    def count(self) -> int:
        """How many records are in quarantine."""
        return sum(map(len, self.shards.values()))

    @property
    def quarantined(self) -> Quarantined:
        """The sequence numbers by shard; records without a number have no place in a shard and are left out."""
        return {
            shard: frozenset(int(each) for each in names if each.isdecimal()) for shard, names in self.shards.items()
        }

    def has(self, shard: str, sequence: str) -> bool:
        """Whether the record is in quarantine."""
        return sequence in self.shards.get(shard, ())

    def with_record(self, shard: str, sequence: str) -> "Register":
        """The register with one more record; raises QuarantineFullError."""
        if self.count >= LIMIT:
            raise QuarantineFullError
        return self._with({**self.shards, shard: self.shards.get(shard, frozenset()) | {sequence}})

    def without(self, shard: str, sequence: str) -> "Register":
        """The register without this record; a shard without records is dropped."""
        shards = {**self.shards, shard: self.shards[shard] - {sequence}}
        return self._with({shard: names for shard, names in shards.items() if names})

    def _with(self, shards: Mapping[str, frozenset[str]]) -> "Register":
        return replace(self, version=self.version + 1, shards=shards)


def register(table: Table) -> Register:
    """The register as it is now, strongly consistent."""
    item = table.get(quarantine_keys.REGISTER)
    if item is None:
        return Register()
    shards = {shard: frozenset(map(string, names["L"])) for shard, names in item["Shards"]["M"].items()}
    return Register(integer(item["Version"]), shards, Groups.parse(string(item["Groups"])))


def double_groups(table: Table, known: Register) -> None:
    """Double the number of groups of carriers from a little later on, unless it has just changed.

    The records of the present batch are earlier, so the history that is known already applies to them. If somebody
    else is changing the register, a later batch asks again.
    """
    groups = known.groups.doubled(clock.now())
    if groups != known.groups:
        with suppress(RefusedError):
            table.write(replacement(replace(known, version=known.version + 1, groups=groups)))


def replacement(changed: Register) -> Put:
    """The write that replaces a register with a changed one.

    The register is never deleted, because its versions must not start again.
    """
    item: Item = key_item(quarantine_keys.REGISTER) | {
        "Type": s("QUARANTINE_REGISTER"),
        "Version": n(changed.version),
        "Groups": s(str(changed.groups)),
        "Shards": {"M": {shard: {"L": [s(name) for name in sorted(names)]} for shard, names in changed.shards.items()}},
    }
    return Put(item, Condition.at_version(changed.version - 1))
