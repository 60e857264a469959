"""The register: one small item that is read with each batch of the stream, strongly consistent.

It names every record in quarantine, because aggregates whose checkpoints pass one must note it as missing. It is
bounded: when it is full, nothing more is quarantined, and the consumer stops until people have acted. It also has the
history of the groups of carriers, which all invocations follow; and what readers must doubt, of which it keeps an item
for them (edgewise/aggregates/doubts.py).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from edgewise import clock
from edgewise.aggregates import doubts as doubting
from edgewise.aggregates.carriers.groups import ONE_GROUP, Groups
from edgewise.aggregates.checkpoints import Quarantined
from edgewise.aggregates.doubts import NEVER, Changed, Names, Told
from edgewise.dynamodb.attributes import Attribute, Item, integer, key_item, n, s, string
from edgewise.dynamodb.renewal import insist
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Condition, Put
from edgewise.errors import PassingError
from edgewise.stream import quarantine_keys
from edgewise.times import Millis

# Each record adds 45 bytes to the register, and up to 18 to every aggregate of its shard: with 1,000, both stay far
# below 400 KB.
LIMIT = 1000
# How many bytes a record may add to it by what it lets readers doubt, if so many do or fewer; and if more do.
MOST_DOUBTS, TOLD_IN_FULL, FEW_DOUBTS = 500, 200, 50
_NAMES = ("Lacking", "Filling", "Counting", "Kept", "Removing")


class Doubted(NamedTuple):
    """The names of what a record concerns, perhaps; and since when readers have been told so."""

    names: Names
    since: Millis


# By shard and sequence number.
Doubts = Mapping[str, Mapping[str, Doubted]]


class QuarantineFullError(PassingError):
    """The quarantine is full: with so many records that can't be understood, the consumer stops."""

    def __init__(self) -> None:
        super().__init__(f"{LIMIT} records are in quarantine, or about to enter it: fix the code, then redrive them")


@dataclass(frozen=True)
class Register:
    """The sequence numbers of quarantined records, by shard, as in keys; and how many groups of carriers there are.

    `doubts`: what records concern that are in quarantine, or are *announced*: about to enter it. `lacking`: what
    records concerned that are gone for good, until somebody recounts it. `filling`: the kinds that a backfill has begun
    to fill. It is apart, since its end says nothing of what is lacking. `changed`: when any of that changed last.
    `counting`: the kinds that have counted without a backfill. None can fill them any more: it would count once more
    what they have. `kept`: the views that are filled, each with the start of that; who does not keep one breaks it
    (edgewise/own/declaring.py). `removing`: the views that are being removed, or were in the last day and a half.
    """

    version: int = 0
    shards: Mapping[str, frozenset[str]] = field(default_factory=dict)
    groups: Groups = ONE_GROUP
    doubts: Doubts = field(default_factory=dict)
    lacking: Names = frozenset()
    filling: Names = frozenset()
    changed: Changed = NEVER
    counting: Names = frozenset()
    kept: Names = frozenset()
    removing: Names = frozenset()

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

    @property
    def doubted(self) -> Names:
        """The names of all that readers must doubt."""
        of_records = (each.names for of_shard in self.doubts.values() for each in of_shard.values())
        return self.lacking.union(self.filling, *of_records)

    def heard(self, now: Millis) -> int:
        """What aggregates keep that are written by whoever knows this register: stored.HEARD."""
        return self.changed.version if self.changed.version and self.changed.is_recent(now) else 0

    def has(self, shard: str, sequence: str) -> bool:
        """Whether the record is in quarantine."""
        return sequence in self.shards.get(shard, ())

    def with_records(self, shard: str, sequences: Collection[str]) -> "Register":
        """The register with these records, which are not in quarantine yet; raises QuarantineFullError."""
        if self.count + len(sequences) > LIMIT:
            raise QuarantineFullError
        names = self.shards.get(shard, frozenset()).union(sequences)
        return replace(self, shards={**self.shards, shard: names} if names else self.shards)

    def without(self, shard: str, sequence: str) -> "Register":
        """The register without this record; a shard without records is dropped."""
        shards = {**self.shards, shard: self.shards[shard] - {sequence}}
        left = {shard: names for shard, names in shards.items() if names}
        return replace(self.without_doubts(shard, [sequence]), shards=left)

    def announced(self, shard: str) -> set[str]:
        """The records of a shard that are about to enter quarantine."""
        return {*self.doubts.get(shard, ())} - self.shards.get(shard, frozenset())

    def with_doubts(self, shard: str, found: Mapping[str, Iterable[str]], now: Millis) -> "Register":
        """The register that lets readers doubt what these records concern, from now on.

        And what it has said of them before: that lacks them until the batch is in. Raises QuarantineFullError if there
        would be no place in quarantine for all that it tells of.
        """
        room = sum(map(len, self.doubts.values())) + len(found) <= TOLD_IN_FULL
        most = MOST_DOUBTS if room else FEW_DOUBTS
        before = self.doubts.get(shard, {})
        every = {each: before[each].names.union(names) if each in before else names for each, names in found.items()}
        if sum(map(len, self.doubts.values())) + len(found.keys() - before.keys()) > LIMIT:
            raise QuarantineFullError
        told = {sequence: Doubted(doubting.short(names, most), now) for sequence, names in every.items()}
        return replace(self, doubts={**self.doubts, shard: {**before, **told}})

    def without_doubts(self, shard: str, sequences: Collection[str]) -> "Register":
        """The register that has no doubt any more because of these records."""
        left = {each: names for each, names in self.doubts.get(shard, {}).items() if each not in sequences}
        doubts = {**self.doubts, shard: left}
        return replace(self, doubts={shard: kept for shard, kept in doubts.items() if kept})

    def without_announced(self, before: Millis) -> "Register":
        """The register that calls lacking what was announced before this instant, and never set aside."""
        changed = self
        for shard, of_shard in self.doubts.items():
            over = {sequence for sequence in self.announced(shard) if of_shard[sequence].since < before}
            names = frozenset[str]().union(*(of_shard[sequence].names for sequence in over))
            changed = changed.without_doubts(shard, over).lacking_also(names) if over else changed
        return changed

    def lacking_also(self, names: Set[str]) -> "Register":
        """The register that says that something lacks a record that is gone for good."""
        return replace(self, lacking=doubting.short(self.lacking | names, doubting.MOST_BYTES))

    def trusting(self, name: str) -> "Register":
        """The register once what has this name has been counted elsewhere."""
        return replace(self, lacking=self.lacking - {name}, filling=self.filling - {name})

    def while_filling(self, kinds: Iterable[str]) -> "Register":
        """The register while a backfill fills these kinds."""
        return replace(self, filling=self.filling | {*kinds})

    def filled(self, kinds: Iterable[str]) -> "Register":
        """The register once it has filled them."""
        return replace(self, filling=self.filling - {*kinds})


def register(table: Table) -> Register:
    """The register as it is now, strongly consistent."""
    item = table.get(quarantine_keys.REGISTER)
    if item is None:
        return Register()
    shards = {shard: _unpacked(names) for shard, names in item["Shards"]["M"].items()}
    doubts = {
        shard: {sequence: _doubted(each) for sequence, each in of_shard["M"].items()}
        for shard, of_shard in item["Doubts"]["M"].items()
    }
    groups = Groups.parse(string(item["Groups"]))
    changed = Changed(integer(item["DoubtsVersion"]), integer(item["DoubtsAt"])) if "DoubtsAt" in item else NEVER
    lacking, filling, *declared = (_unpacked(item[name]) for name in _NAMES)
    return Register(integer(item["Version"]), shards, groups, doubts, lacking, filling, changed, *declared)


def double_groups(table: Table, known: Register) -> None:
    """Double the number of groups of carriers from a little later on, unless it has just changed.

    The records of the present batch are earlier, so the history that is known already applies to them. If somebody
    else is changing the register, a later batch asks again.
    """
    groups = known.groups.doubled(clock.now())
    if groups != known.groups:
        with suppress(RefusedError):
            table.write(replacement(replace(known, groups=groups)))


def change(table: Table, by: Callable[[Register], Register]) -> Register:
    """Replace the register by what a function makes of it, unless that is the same; returns it as it is then.

    Raises OvertakenError when too many writers do so at once.
    """

    def attempt() -> Register:
        known = register(table)
        if (changed := by(known)) == known:
            return known
        table.transact(replacements(known, changed))
        return register(table)

    return insist("the register", attempt)


def replacements(known: Register, changed: Register) -> list[Put]:
    """The writes that replace the known register by a changed one, together; and what readers get of it with that."""
    if changed.doubted == known.doubted:
        return [replacement(changed)]
    changed = replace(changed, changed=Changed(changed.version + 1, clock.now()))
    return [replacement(changed), Put(doubting.item(Told(changed.doubted, changed.changed)))]


def replacement(changed: Register) -> Put:
    """The write that replaces a register, if it is still the one that was read.

    The register is never deleted, because its versions must not start again.
    """
    of_shards = {
        shard: {"M": {sequence: _doubted_map(each) for sequence, each in found.items()}}
        for shard, found in changed.doubts.items()
    }
    item: Item = key_item(quarantine_keys.REGISTER) | {
        "Type": s("QUARANTINE_REGISTER"),
        "Version": n(changed.version + 1),
        "Groups": s(str(changed.groups)),
        "Shards": {"M": {shard: _packed(names) for shard, names in changed.shards.items()}},
        "Doubts": {"M": of_shards},
    }
    named = (changed.lacking, changed.filling, changed.counting, changed.kept, changed.removing)
    item |= dict(zip(_NAMES, map(_packed, named), strict=True))
    if changed.changed.version:
        item |= {"DoubtsVersion": n(changed.changed.version), "DoubtsAt": n(changed.changed.at)}
    return Put(item, Condition.at_version(changed.version))


def _doubted_map(doubted: Doubted) -> Attribute:
    return {"M": {"Names": _packed(doubted.names), "Since": n(doubted.since)}}


def _doubted(packed: Attribute) -> Doubted:
    return Doubted(_unpacked(packed["M"]["Names"]), integer(packed["M"]["Since"]))


def _packed(names: Iterable[str]) -> Attribute:
    return {"L": [s(each) for each in sorted(names)]}


def _unpacked(packed: Attribute) -> frozenset[str]:
    return frozenset(map(string, packed["L"]))
