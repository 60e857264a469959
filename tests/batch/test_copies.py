"""Copies that are made of other items: amounts in invoices, newest versions, names, the register."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from batch.comparing import WRONG
from batch.derived import Astray
from batch.exports import Change
from batch.folders import Folder
from batch.found import UNSETTLED
from batch.reconcile import Around, Declared, reconciled
from delivery import KilledError
from edgewise import clock
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.stream import put_right, quarantine
from edgewise.stream.register import register, replacement
from functions.catalog import CATALOG, DERIVATIONS
from functions.replay.memory import MemoryTable
from functions.systems.audits import store as audits
from functions.systems.audits.entity import Audit
from functions.systems.billing import items as billing_items
from functions.systems.billing import store as billing
from functions.systems.billing.entity import Bill, Invoice
from functions.systems.documents import store as documents
from functions.systems.documents.entity import Information, Metadata, Revision
from functions.users import User
from tests.batch.exporting import exported, increment
from tests.support.streams import PRESENT

Step = Callable[[Random, MemoryTable], object]
BILLS, INVOICES, DOCUMENTS = ("b1", "b2"), ("i1", "i2", "i3"), ("d1", "d2")


def bill(random: Random, table: MemoryTable) -> None:
    billing.put_bill(table, Bill(random.choice(BILLS), Decimal(random.randint(1, 9))))


def billed(random: Random, table: MemoryTable) -> None:
    billing.put_billed(table, random.choice(INVOICES), random.choice(BILLS))


def audit(random: Random, table: MemoryTable) -> None:
    part = random.choice(("", "engine"))
    audits.add(table, Audit("lift", part, 0, PRESENT, "amy", random.choice(("passed", "failed"))))


def revise(random: Random, table: MemoryTable) -> None:
    documents.revise(table, "amy", Revision(random.choice(DOCUMENTS), 0, PRESENT, "amy", f"text {random.random()}"))


def inform(random: Random, table: MemoryTable) -> None:
    documents.inform(table, "amy", Information(random.choice(DOCUMENTS), random.choice("nm"), "{}"))


def forget(random: Random, table: MemoryTable) -> None:
    documents.forget(table, "amy", random.choice(DOCUMENTS), random.choice("nm"))


def record(sequence: int) -> Any:
    return {"dynamodb": {"SequenceNumber": str(sequence), "ApproximateCreationDateTime": PRESENT // 1000}}


def set_aside(random: Random, table: MemoryTable) -> None:
    quarantine.quarantine(table, random.choice("st"), quarantine.Entry(record(random.randint(1, 9)), "why"))


STEPS: Sequence[Step] = (bill, billed, billed, audit, revise, inform, inform, forget, set_aside)


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: PRESENT)


def made(random: Random) -> MemoryTable:
    """A table with at least one of each, after a random history."""
    table = MemoryTable()
    for name in BILLS:
        billing.put_bill(table, Bill(name, Decimal(5)))
    for name in INVOICES:
        billing.put_invoice(table, Invoice(name))
    for name in DOCUMENTS:
        documents.describe(table, User("amy", "amy"), Metadata(name, "title"))
    steps = [*STEPS, *random.choices(STEPS, k=30)]
    for step in random.sample(steps, len(steps)):
        step(random, table)
    inform(random, table)
    return table


def astray(table: MemoryTable, folder: Path, changes: Sequence[Change] = ()) -> list[Astray]:
    """What is not as its originals say. No stream has counted anything here."""
    bucket = Folder(folder)
    around = Around(increment(bucket, changes), 0, 1)
    return list(reconciled(Declared(), exported(bucket, table.items.values()), around, lambda _: None).astray)


def repaired(table: MemoryTable, found: Sequence[Astray]) -> None:
    plan = [each.repair for each in found if each.repair]
    put_right.apply(table, CATALOG, DERIVATIONS, plan, lambda: True)


@pytest.mark.histories(6)
def test_after_any_history_all_copies_are_right(seed: int, tmp_path: Path) -> None:
    assert astray(made(Random(seed)), tmp_path) == []


def one(table: MemoryTable, of_type: str) -> Item:
    return next(item for item in table.items.values() if item["Type"]["S"] == of_type)


# How each kind of copy goes wrong: by an item that another one replaces.
DRIFTS: dict[str, Callable[[Item], Item]] = {
    "BILLED": lambda item: item | {"Amount": {"N": "77"}},
    "AUDIT_NEWEST": lambda item: item | {"Result": {"S": "nobody knows"}},
    "DOCUMENT_NEWEST": lambda item: item | {"Version": {"N": str(int(item["Version"]["N"]) + 3)}},
    "DOCUMENT_INFORMATION_NAMES": lambda item: item | {"Names": {"L": [*item["Names"]["L"], {"S": "zz"}]}},
    "QUARANTINE_REGISTER": lambda item: item | {"Shards": {"M": {"u": {"L": [{"S": "7".zfill(40)}]}}}},
}


@pytest.mark.parametrize("of_type", DRIFTS)
@pytest.mark.histories(4)
def test_a_copy_that_says_something_else_is_found_and_put_right(of_type: str, seed: int, tmp_path: Path) -> None:
    table = made(Random(seed))
    right, key = dict(table.items), key_of(one(table, of_type))
    table.items[key] = DRIFTS[of_type](table.items[key])
    found = astray(table, tmp_path)
    assert [(each.key, each.kind, each.why) for each in found] == [(key, of_type, WRONG)]
    repaired(table, found)
    repaired(table, found)
    assert said(table.items) == said(right)
    assert astray(table, tmp_path) == []


def said(items: dict[Key, Item]) -> dict[Key, Item]:
    """The items, but for how often lists of names have been changed."""
    lists = ("DOCUMENT_INFORMATION_NAMES", "QUARANTINE_REGISTER")
    return {
        key: {name: value for name, value in item.items() if name != "Version" or item["Type"]["S"] not in lists}
        for key, item in items.items()
    }


@pytest.mark.parametrize("of_type", ["AUDIT_NEWEST", "DOCUMENT_NEWEST"])
def test_a_newest_version_that_is_lost_is_found_and_stored_again(of_type: str, tmp_path: Path) -> None:
    table = made(Random(1))
    lost = one(table, of_type)
    table.remove(key_of(lost))
    found = astray(table, tmp_path)
    assert [each.key for each in found] == [key_of(lost)]
    repaired(table, found)
    assert table.items[key_of(lost)] == lost


def test_a_copy_of_nothing_is_told_with_what_to_do(tmp_path: Path) -> None:
    table = made(Random(1))
    item = one(table, "BILLED")
    table.remove(Key(item["SK"]["S"], item["SK"]["S"]))
    found = [each for each in astray(table, tmp_path) if each.key == key_of(item)]
    assert [(each.repair, bool(each.reason)) for each in found] == [(None, True)]


def test_a_record_that_nobody_registered_can_be_redriven_again(tmp_path: Path) -> None:
    table = made(Random(2))
    known = register(table)
    shard, names = next(iter(known.shards.items()))
    table.write(replacement(known.without(shard, next(iter(names)))))
    found = astray(table, tmp_path)
    assert [list(each.expected.values()) for each in found] == [["named"]]
    repaired(table, found)
    assert register(table).shards == known.shards


def changed_alone(table: MemoryTable, name: str) -> Change:
    """The bill's request dies before it can carry the amount to the invoices."""
    before = next(item for item in table.items.values() if item["PK"] == {"S": f"BILL#{name}"})
    known = billing_items.BILL.decode(before)
    after = billing_items.BILL.encode(Bill(name, Decimal(99)).replacing(known))
    table.items[key_of(after)] = after
    return Change(before, after, 1)


def test_an_amount_on_its_way_is_not_wrong_but_one_that_never_came_is(tmp_path: Path) -> None:
    table = made(Random(3))
    name = one(table, "BILLED")["SK"]["S"].removeprefix("BILL#")
    change = changed_alone(table, name)
    assert {each.why for each in astray(table, tmp_path, [change])} == {UNSETTLED}
    found = astray(table, tmp_path)
    assert {each.why for each in found} == {WRONG}
    repaired(table, found)
    assert astray(table, tmp_path) == []


class Racing(MemoryTable):
    """Right before the first write of a repair, somebody else writes, too; or it dies there."""

    beside: Callable[[], object] | None = None

    def _first(self) -> None:
        beside, self.beside = self.beside, None
        if beside:
            beside()

    def write(self, write: Any) -> None:
        self._first()
        super().write(write)

    def transact(self, actions: Any) -> None:
        self._first()
        super().transact(actions)


def _die() -> None:
    raise KilledError


@pytest.mark.histories(12)
def test_copies_are_right_whatever_happens_beside_their_repair(seed: int, tmp_path: Path) -> None:
    """What others write is not lost, and what the repair leaves undone the next check finds."""
    random, table = Random(seed), Racing()
    table.items = made(random).items
    for of_type, drift in DRIFTS.items():
        key = key_of(one(table, of_type))
        table.items[key] = drift(table.items[key])
    plan = [each.repair for each in astray(table, tmp_path) if each.repair]
    assert len(plan) == len(DRIFTS)
    for line in random.sample(plan, len(plan)):
        step: Step = random.choice([bill, billed, audit, set_aside])
        ways: list[Callable[[], object]] = [_die, partial(step, random, table)]
        table.beside = random.choice(ways)
        with suppress(KilledError):
            put_right.apply(table, CATALOG, DERIVATIONS, [line], lambda: True)
        table.beside = None
    repaired(table, astray(table, tmp_path))
    assert astray(table, tmp_path) == []
