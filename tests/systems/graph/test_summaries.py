"""Summaries: how they are stored, and which of them readers see."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise import clock
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.dynamodb.table import Table
from edgewise.errors import ConcurrentChangeError, OutOfTimeError
from edgewise.times import DAY
from functions.systems.graph import generations, keys, publishing, summaries, summary_codec
from functions.systems.graph.entity import NodeId
from functions.systems.graph.summary import Generation, Level, Similar, Summary
from tests.support.streams import StreamedTable
from tests.systems.graph.generations import AMY, FIRST, LATER, current, person, publish

NAMES = st.text(min_size=1, max_size=9)
NODES = st.builds(NodeId, NAMES, NAMES)
COUNTS = st.integers(0, 10**9)
LEVELS = st.builds(Level, COUNTS, st.booleans(), COUNTS, st.decimals(allow_nan=False, allow_infinity=False))
# What a float can be between 0 and 1, as JSON tells it.
SHARES = st.floats(1e-12, 1).map(repr).map(Decimal)
SIMILAR = st.builds(Similar, NAMES, NAMES, st.floats(1e-6, 1e6), COUNTS)
SUMMARIES = st.builds(Summary, NODES, SHARES, NODES, COUNTS, LEVELS, LEVELS, st.lists(SIMILAR, max_size=10).map(tuple))


@given(SUMMARIES)
def test_a_summary_comes_back(summary: Summary) -> None:
    assert summary_codec.summary(summary_codec.summary_item(FIRST, summary)) == summary


@given(SHARES, SHARES)
def test_places_sort_as_the_pageranks_do(one: Decimal, other: Decimal) -> None:
    lower, higher = (keys.ranked_by_pagerank("run", each, AMY).sk for each in sorted((one, other)))
    assert lower <= higher


@given(NODES, SHARES)
def test_a_place_names_its_node(node: NodeId, pagerank: Decimal) -> None:
    item = summary_codec.ranked_item(FIRST, replace(person("amy"), node=node, pagerank=pagerank))
    assert summary_codec.ranked(item) == (node, pagerank)


def pageranks(table: Table) -> dict[str, Decimal]:
    """By name the PageRanks that readers see now."""
    generations._known.clear()
    generation = generations.current(table)
    return {each.node.id: each.pagerank for each in summaries.top(table, generation, 100)} if generation else {}


def test_readers_see_the_generation_before_until_the_next_is_complete(table: StreamedTable) -> None:
    publish(table, FIRST, person("amy", "0.5"), person("bob", "0.5"))
    assert pageranks(table) == {}
    assert summaries.find(table, AMY) is None
    generations.make_current(table, FIRST)
    assert pageranks(table) == {"amy": Decimal("0.5"), "bob": Decimal("0.5")}
    publish(table, LATER, person("amy", "0.75"), part="part-00000.gz")
    assert pageranks(table) == {"amy": Decimal("0.5"), "bob": Decimal("0.5")}
    publish(table, LATER, person("eve", "0.25"), part="part-00001.gz")
    generations.make_current(table, LATER)
    assert pageranks(table) == {"amy": Decimal("0.75"), "eve": Decimal("0.25")}
    found = summaries.find(table, AMY)
    assert found
    assert (found.summary.pagerank, found.at) == (Decimal("0.75"), LATER.at)
    assert summaries.find(table, NodeId("person", "bob")) is None


def test_an_earlier_generation_never_replaces_a_later_one(table: StreamedTable) -> None:
    current(table, LATER, person("amy", "0.75"))
    current(table, FIRST, person("amy", "0.5"))
    assert pageranks(table) == {"amy": Decimal("0.75")}


def test_a_generation_that_another_writer_changes_meanwhile_stays(
    table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    current(table, LATER)
    monkeypatch.setattr(generations, "_stored", lambda _: FIRST)
    with pytest.raises(ConcurrentChangeError):
        generations.make_current(table, Generation("20180829T074100Z", LATER.at + 1))


def test_which_generation_is_current_is_read_once_in_a_while(
    table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = FIRST.at
    monkeypatch.setattr(clock, "now", lambda: now)
    generations.make_current(table, FIRST)
    before = table.usage.requests
    assert generations.current(table) == generations.current(table) == FIRST
    assert table.usage.requests == before + 1
    generations.make_current(table, LATER)
    now += generations.KNOWN_FOR - 1
    assert generations.current(table) == FIRST
    now += 1
    assert generations.current(table) == LATER


def test_all_items_of_a_generation_end_together_and_nobody_sees_it_from_then_on(
    table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    current(table, FIRST, person("amy"))
    stored = table.get_many(
        [
            keys.SUMMARY(AMY, FIRST.run),
            keys.ranked_by_pagerank(FIRST.run, Decimal("0.25"), AMY),
            keys.PART(FIRST.run, "part-00000.gz"),
            keys.CURRENT,
        ]
    )
    ends = FIRST.at + 30 * DAY
    assert [item[TTL_ATTRIBUTE] for item in stored.values()] == [{"N": str(ends // 1000)}] * 4
    for now, seen in ((ends - 1, FIRST), (ends, None)):
        monkeypatch.setattr(clock, "now", lambda now=now: now)
        generations._known.clear()
        assert generations.current(table) == seen


def test_a_part_that_is_interrupted_goes_on_where_it_ended(
    table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "STEP", 2)
    people = [person(f"p{n}", f"0.{n}") for n in range(1, 6)]
    starts: list[int] = []

    def read(start: int) -> list[Summary]:
        starts.append(start)
        return people[start:]

    for done in (2, 4):
        with pytest.raises(OutOfTimeError) as raised:
            publishing.publish(table, FIRST, "part", read, lambda: False)
        assert raised.value.done == done
    assert not publishing.known_progress(table, FIRST, ["part"])["part"].whole
    assert publishing.publish(table, FIRST, "part", read, lambda: True) == 5
    assert publishing.publish(table, FIRST, "part", read, lambda: True) == 5
    assert starts == [0, 2, 4]
    generations.make_current(table, FIRST)
    assert pageranks(table) == {f"p{n}": Decimal(f"0.{n}") for n in range(1, 6)}


def test_each_part_ranks_its_first_nodes(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "TOP", 2)
    monkeypatch.setattr(publishing, "STEP", 2)
    publish(table, FIRST, *(person(f"p{n}", f"0.{n}") for n in (3, 1, 4, 2)), part="one")
    publish(table, FIRST, *(person(f"q{n}", f"0.{n}") for n in (5, 9, 6)), part="two")
    generations.make_current(table, FIRST)
    assert list(pageranks(table)) == ["q9", "q6", "p4", "p3"]


def test_equal_pageranks_share_a_rank(table: StreamedTable) -> None:
    current(table, FIRST, person("a", "0.5"), person("b", "0.2"), person("c", "0.2"), person("d", "0.1"))
    assert [(each.rank, each.pagerank) for each in summaries.top(table, FIRST, 9)] == [
        (1, Decimal("0.5")),
        (2, Decimal("0.2")),
        (2, Decimal("0.2")),
        (4, Decimal("0.1")),
    ]


def test_a_summary_that_cannot_be_understood_is_told(table: StreamedTable) -> None:
    place = Key(keys.GENERATIONS(FIRST.run), "PAGERANK#odd")
    table.put_many([{"PK": {"S": place.pk}, "SK": {"S": place.sk}}])
    current(table, FIRST, person("amy"))
    assert [each.node for each in summaries.top(table, FIRST, 9)] == [AMY]
    assert table.usage.left_out
