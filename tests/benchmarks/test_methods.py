"""Every way does what it is said to do, else its cost says nothing."""

from collections.abc import Iterator

import pytest

from benchmarks import drift, edges, engine, measured, verdicts
from benchmarks.meter import TRANSACTED_ITEM
from benchmarks.methods import COALESCED, ONE_BY_ONE, OURS, RANKED, of_edges
from benchmarks.stream import window_event

FEW = 24
WRITTEN = edges.edges(FEW)
FACTS = edges.recount(WRITTEN)
SHARDS = {mirrored: edges.shards(edges.stream(WRITTEN, mirrored=mirrored)) for mirrored in (False, True)}
# Write units of a record with two aggregates; the ledger's item is one more.
UNITS = {"`ADD` per record": 2, "Powertools per record": 4, "ledger per record": 3 * TRANSACTED_ITEM}
COUNT_TWICE = ("`ADD` per record", COALESCED)

each = pytest.mark.parametrize("name", of_edges())


@pytest.fixture(scope="module", autouse=True)
def running(java: None) -> Iterator[None]:
    with engine.running():
        yield


def spend(name: str, table: str) -> tuple[measured.Cost, verdicts.Errors]:
    method = of_edges()[name]
    cost, filled = measured.cost(table, method, SHARDS[method.mirrored], 8 * (1 + method.mirrored), lambda _: None)
    return cost, verdicts.errors(filled, FACTS)


@each
def test_it_keeps_the_numbers(name: str) -> None:
    cost, errors = spend(name, f"kept-{list(of_edges()).index(name)}")
    assert errors == verdicts.Errors(len(FACTS), 0, 0)
    assert (cost.records, cost.memory > 0) == (FEW * (1 + of_edges()[name].mirrored), True)


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_record_by_record_costs_what_is_known_of_it(name: str) -> None:
    cost, _ = spend(name, f"units-{list(ONE_BY_ONE).index(name)}")
    assert cost.spent.billed == FEW * UNITS[name]


def test_ours_writes_no_more_than_the_fewest_writes_there_can_be() -> None:
    ours, coalesced = spend(OURS, "fewest-ours")[0], spend(COALESCED, "fewest-coalesced")[0]
    # And a put for each of four windows, which says how far the shard has come. By mirrors, hardly an aggregate is fed
    # by several shards.
    assert len(FACTS) + 4 <= ours.spent.billed <= coalesced.spent.billed + 4
    assert ours.spent.billed < spend(RANKED, "fewest-ranked")[0].spent.billed < 2 * ours.spent.billed


@each
def test_a_batch_delivered_twice(name: str) -> None:
    method = of_edges()[name]
    table = method.table(f"twice-{list(of_edges()).index(name)}")
    with method.handler(table) as handle:
        shards = SHARDS[method.mirrored]
        for shard, records in enumerate(shards * 2):
            handle(window_event(records, f"shardId-{shard % len(shards)}"))
    errors = verdicts.errors(table, FACTS)
    assert errors.edges == (2 * FEW if name in COUNT_TWICE else 0)


@pytest.mark.parametrize("level", drift.LEVELS)
def test_ours_does_not_drift(level: str) -> None:
    assert drift.delivered(OURS, level, FEW, seed=7).wrong == 0


def test_drift_is_the_same_for_the_same_seed() -> None:
    some, again = (drift.delivered(COALESCED, "harsh", 60, seed=3) for _ in range(2))
    assert some == again
    assert some.wrong
