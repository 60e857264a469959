"""Faults are in stages whose file asks for them, and nowhere else: their code, their routes and their rights."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

from delivery import KilledError
from edgewise.dynamodb.attributes import integer, key_of, n
from functions.catalog import module_of
from functions.faults.breaking import BreakableTable
from functions.handlers import breakable_aggregator, edge_aggregator
from functions.systems.proof import store
from functions.systems.proof.entity import BROKEN, Number
from functions.systems.proof.system import SYSTEM as PROOF
from functions.systems.telemetry.system import DEVICE
from infra.bundle import BREAKABLE, ROOT, files
from tests.handlers.test_consumer import readings
from tests.infra import iam
from tests.infra.asking import Asked, AskedTable
from tests.infra.conftest import Deployment
from tests.infra.iam import Request
from tests.infra.test_own_partitions import COUNTED, NEVER, READS, TOUCHED, WRITES, key
from tests.support.http import Context
from tests.support.streams import window_event

CONSUMER = "edge_aggregator"
# What is asked for and the log; notes, and what a plain ADD counts.
ASKED, WATCHES = "PROOF", "PROOF#x"


def having(deployment: Deployment, folder: str) -> set[str]:
    """The functions whose code has anything of a folder."""
    found = set()
    for name, one in deployment.functions().items():
        bundled = name if one["Handler"] == f"{module_of(name)}.handler" else BREAKABLE[name]
        if any(each.is_relative_to(ROOT / folder) for each in files(bundled)):
            found.add(name)
    return found


@pytest.mark.parametrize(
    ("folder", "having_it"),
    [("functions/faults", {CONSUMER, PROOF.name}), ("functions/replay", {PROOF.name}), ("delivery", {PROOF.name})],
)
def test_code_that_breaks_is_bundled_only_where_a_stage_asks_for_it(
    dev: Deployment, checked: Deployment, breakable: Deployment, folder: str, having_it: set[str]
) -> None:
    assert having(dev, folder) == having(checked, folder) == set()
    assert having(breakable, folder) == having_it


def test_the_consumer_that_breaks_takes_the_place_of_the_other(breakable: Deployment) -> None:
    assert breakable.functions()[CONSUMER]["Handler"] == f"{module_of('breakable_aggregator')}.handler"


def test_all_else_runs_the_same_code(dev: Deployment, breakable: Deployment) -> None:
    before, after = dev.functions(), breakable.functions()
    assert after.keys() - before.keys() == {PROOF.name}
    assert {name for name in before if before[name]["Code"] != after[name]["Code"]} == {CONSUMER}


def may(deployment: Deployment, name: str) -> set[tuple[str, str]]:
    """What a function may do in which partitions of the table."""
    given, partitions = iam.statements(deployment, name), [*map(key, TOUCHED), ASKED, WATCHES]
    every = product((*READS, *WRITES, *NEVER), partitions)
    return {(action, each) for action, each in every if iam.allows(given, Request(action, (each,)))}


def test_the_proof_reads_numbers_and_writes_what_is_asked_for(breakable: Deployment) -> None:
    numbers = {key(name) for name in COUNTED.split() if name != "CARRIER"}
    around = {ASKED, WATCHES, key("REGISTER"), key("FRESHNESS"), key("REVOCATIONS"), key("RATE")}
    written = set(product(["PutItem"], [ASKED, key("RATE")]))
    assert may(breakable, PROOF.name) == set(product(READS, numbers | around)) | written


def test_the_consumer_also_writes_the_proof_and_counts_by_a_plain_add(dev: Deployment, breakable: Deployment) -> None:
    before, after = may(dev, CONSUMER), may(breakable, CONSUMER)
    own = {each for action, each in after if action == "PutItem"}
    assert own == {each for action, each in before if action == "PutItem"} | {ASKED, WATCHES}
    actions = {action for action, _ in before}
    assert after - before == {*product(actions, [ASKED, WATCHES]), *product(["UpdateItem"], own)}


class Breakable(BreakableTable, AskedTable):
    """Remembers who asked for what; a process dies as in the simulator."""

    def die(self) -> object:
        raise KilledError

    def add(self, addition: Mapping[str, Any]) -> None:
        of, values = key_of(addition["Key"]), addition["ExpressionAttributeValues"]
        with self._noted(Request("UpdateItem", (of.pk,))):
            before = integer(self.items.get(of, {}).get("Sum", n(0)))
            self.items[of] = addition["Key"] | {"Type": values[":type"], "Sum": n(before + integer(values[":amount"]))}


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Breakable]:
    table = Breakable(Asked())
    monkeypatch.setattr(breakable_aggregator, "table", lambda: table)
    monkeypatch.setattr("time.sleep", lambda _: None)
    edge_aggregator.teller.cache_clear()
    yield table
    edge_aggregator.teller.cache_clear()


def test_the_consumers_rights_suffice_for_what_is_asked_of_it(
    table: Breakable, dev: Deployment, breakable: Deployment
) -> None:
    store.watch(table, (Number(json.dumps(DEVICE("d").plain), "Events"),), plain=True)
    for kind in BROKEN:
        store.ask(table, kind, "", lambda _: None)
    for device in "defgh":
        with suppress(KilledError), table.asked.by(CONSUMER):
            breakable_aggregator.handler(window_event("a", readings("d", device), ends=False), Context())
    assert {done.fault.kind for done in store.log(table, 50)} == set(BROKEN)

    def refused(deployment: Deployment) -> set[str]:
        given = iam.statements(deployment, CONSUMER)
        return {request.action for request in table.asked.requests[CONSUMER] if not iam.allows(given, request)}

    assert refused(breakable) == set()
    assert refused(dev) == {"GetItem", "BatchGetItem", "PutItem", "UpdateItem"}
