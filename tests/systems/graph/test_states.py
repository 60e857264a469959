"""States of nodes reach the edges of their neighbours, whoever dies, sleeps or is overtaken, and what counts them."""

from decimal import Decimal
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.throttling import UnprocessedError
from edgewise.dynamodb.writes import Delete, Put
from edgewise.errors import ConcurrentChangeError, NotFoundError
from functions.catalog import FOLLOW_UPS
from functions.replay.memory import MemoryTable
from functions.systems.graph import cleanup, codec, dangling, keys, passes, states, store, telling
from functions.systems.graph.declared import Label
from functions.systems.graph.declared import telling as told_to
from functions.systems.graph.entity import Attribute, GraphEdge, Node, NodeId, State
from functions.systems.graph.passes import Pass
from tests.delivery.cascading import LaggingMemory
from tests.support.streams import StreamedMemory

HOST, OTHER, WEB, SHOP = NodeId("host", "h"), NodeId("host", "o"), NodeId("service", "web"), NodeId("supplier", "shop")
NAME = (HOST, "RUNS", WEB)
EDGE, MIRROR = keys.EDGE(*NAME), keys.mirror(*NAME)
UP, DOWN = {"load": Decimal("0.5")}, dict[str, Decimal]()


class Table(StreamedMemory):
    """With all nodes, at version 1; `settle` lets the cascade see every change, in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.seen = 0
        for node in (HOST, OTHER, WEB, SHOP):
            store.put_node(self, node, [], 1)

    def settle(self) -> int:
        """Returns how many changes entailed something."""
        (shard,) = self.shards.values()
        entailed = 0
        while self.seen < len(shard):
            self.seen += 1
            pending = FOLLOW_UPS.pending(shard[self.seen - 1])
            FOLLOW_UPS.finish(self, [pending])
            entailed += bool(pending)
        return entailed


@pytest.fixture
def table() -> Table:
    return Table()


def put(table: Table, source: NodeId = HOST, label: str = "RUNS", target: NodeId = WEB) -> None:
    store.put_edge(table, GraphEdge(source, label, target, Decimal(1)))


def told(table: MemoryTable, at: Key = MIRROR) -> tuple[str, dict[str, Decimal]]:
    state = codec.state(table.items[at])
    return state.name, dict(state.measures)


def test_an_edge_tells_the_state_that_its_neighbour_has(table: Table) -> None:
    """A service counts the hosts that run it, so the mirror tells; and the suppliers it needs, so the edge tells."""
    store.put_state(table, HOST, "up", UP)
    store.put_state(table, SHOP, "down", DOWN)
    put(table)
    put(table, WEB, "NEEDS", SHOP)
    assert told(table) == ("up", UP)
    assert told(table, keys.EDGE(WEB, "NEEDS", SHOP)) == ("down", {})
    assert "StateVersion" not in table.items[EDGE]
    assert "StateVersion" not in table.items[keys.mirror(WEB, "NEEDS", SHOP)]


@pytest.mark.parametrize(("label", "read"), [("KNOWS", []), ("RUNS", []), ("PART_OF", [keys.deriving(WEB)])])
def test_a_derived_state_is_read_only_where_it_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch, label: str, read: list[Key]
) -> None:
    asked: list[Key] = []
    real = table.get_many
    store.put_node(table, business := NodeId("business", "b"), [], 1)

    def get_many(wanted: list[Key], *, consistent: bool) -> Any:
        asked.extend(wanted)
        return real(wanted, consistent=consistent)

    monkeypatch.setattr(table, "get_many", get_many)
    put(table, *((HOST, label, WEB) if label == "RUNS" else (WEB, label, business)))
    assert [key for key in asked if key.sk.startswith("ADJACENT")] == read


def test_a_new_state_reaches_edges_that_are_there(table: Table) -> None:
    put(table)
    put(table, WEB, "NEEDS", SHOP)
    store.put_state(table, HOST, "up", UP)
    store.put_state(table, SHOP, "degraded", {})
    table.settle()
    assert told(table) == ("up", UP)
    assert told(table, keys.EDGE(WEB, "NEEDS", SHOP)) == ("degraded", {})


def test_a_copy_entails_nothing_further(table: Table) -> None:
    put(table)
    table.settle()
    store.put_state(table, HOST, "up", UP)
    assert table.settle() == 1


def test_a_state_that_changed_between_the_read_and_the_write_of_an_edge(table: Table) -> None:
    real = table.put_many

    def late(items: Any) -> None:
        store.put_state(table, HOST, "up", UP)
        table.settle()
        real(items)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "put_many", late)
        put(table)
    assert told(table) == ("", {})
    table.settle()
    assert told(table) == ("up", UP)


def test_who_has_slept_brings_no_older_state_back(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has read the node, and a newer state is told before it fills the edges."""
    put(table)
    store.put_state(table, HOST, "up", UP)
    table.settle()
    slept, real = codec.node(table.items[keys.NODE_ITEM(HOST)]), dangling.living
    store.put_state(table, HOST, "down", DOWN)
    table.settle()
    told_last = table.items[MIRROR]
    monkeypatch.setattr(dangling, "living", lambda *given: {**real(*given), HOST: slept})
    telling.tell(table, {HOST})
    assert table.items[MIRROR] == told_last


def test_an_edge_put_again_whose_mirror_is_an_older_one(table: Table) -> None:
    """A deletion died after the edge, and so did who put it anew; in between the state was told to nobody."""
    put(table)
    table.settle()
    edge = table.items[EDGE]
    table.write(Delete(EDGE))
    store.put_state(table, HOST, "up", UP)
    pending = FOLLOW_UPS.pending(table.shards["shard-0"][-1])
    assert pending
    FOLLOW_UPS.finish(table, [pending])
    table.write(Put(edge))
    assert told(table) == ("", {})
    table.settle()
    assert told(table) == ("up", UP)


def test_the_same_edge_put_by_somebody_who_has_slept(table: Table) -> None:
    """It says the same, but tells the state of before: this is no newer copy."""
    put(table)
    asleep = table.items[MIRROR]
    store.put_state(table, HOST, "up", UP)
    table.settle()
    table.write(Put(asleep))
    assert told(table) == ("", {})
    table.settle()
    assert told(table) == ("up", UP)


def test_an_older_state_replaces_none(table: Table) -> None:
    put(table)
    states.fill(table, {MIRROR: State(9, "up")})
    states.fill(table, {MIRROR: State(8, "down")})
    assert told(table) == ("up", {})


def test_what_is_not_there_is_not_made(table: Table) -> None:
    states.fill(table, {MIRROR: State(9, "up")})
    assert MIRROR not in table.items


@pytest.mark.parametrize("other", [State(7, "degraded"), State(10, "degraded")])
def test_who_is_overtaken_looks_again(table: Table, monkeypatch: pytest.MonkeyPatch, other: State) -> None:
    """By an older state, or by a newer one: the newest stays."""
    put(table)
    real = table.replace_many

    def overtaken(replacements: Any) -> Any:
        monkeypatch.setattr(table, "replace_many", real)
        states.fill(table, {MIRROR: other})
        return real(replacements)

    monkeypatch.setattr(table, "replace_many", overtaken)
    states.fill(table, {MIRROR: State(9, "up")})
    assert told(table)[0] == max((State(9, "up"), other)).name


def test_who_is_always_overtaken_says_that_it_may_pass(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    put(table)
    real = table.replace_many

    def overtaken(replacements: Any) -> Any:
        table.write(Put(states.telling(table.items[MIRROR], State(1, str(len(table.shards["shard-0"]))))))
        return real(replacements)

    monkeypatch.setattr(table, "replace_many", overtaken)
    with pytest.raises(UnprocessedError):
        states.fill(table, {MIRROR: State(9, "up")})


def test_an_edge_of_before_the_declaration_tells_it_from_the_next_change_on(table: Table) -> None:
    table.put_many(codec.edge_items(GraphEdge(*NAME, Decimal(1))))
    store.put_state(table, HOST, "up", UP)
    table.settle()
    assert told(table) == ("up", UP)


def test_a_mirror_that_is_put_right_tells_what_the_former_told(table: Table) -> None:
    store.put_state(table, HOST, "up", UP)
    put(table)
    table.settle()
    former = table.items[EDGE]
    table.write(Put(former | {"Weight": {"N": "7"}}))
    table.settle()
    assert table.items[MIRROR]["Weight"] == {"N": "7"}
    assert told(table) == ("up", UP)


class TestNodes:
    def test_a_state_stays_when_attributes_change(self, table: Table) -> None:
        store.put_state(table, HOST, "up", UP)
        store.put_node(table, HOST, [Attribute("tier", ("1",))], 2)
        assert store.node(table, HOST)[0] == State(2, "up", (("load", Decimal("0.5")),))

    def test_the_same_state_writes_nothing(self, table: Table) -> None:
        store.put_state(table, HOST, "up", UP)
        before = dict(table.items)
        store.put_state(table, HOST, "up", UP)
        assert table.items == before

    def test_who_is_overtaken_says_it_all_the_same(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        old = table.items[keys.NODE_ITEM(HOST)]
        store.put_state(table, HOST, "degraded", {})
        monkeypatch.setattr(table, "get", lambda _: old)
        assert store.put_state(table, HOST, "up", UP).version == 3

    def test_who_is_always_overtaken_is_told(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        real = table.write

        def overtaken(write: Any) -> None:
            node = codec.node(table.items[keys.NODE_ITEM(HOST)])
            real(Put(codec.node_item(Node(HOST, node.version + 1, node.state))))
            real(write)

        monkeypatch.setattr(table, "write", overtaken)
        with pytest.raises(ConcurrentChangeError):
            store.put_state(table, HOST, "up", UP)

    def test_who_is_not_there_has_none(self, table: Table) -> None:
        cleanup.delete_node(table, HOST)
        for node in (HOST, NodeId("host", "none")):
            with pytest.raises(NotFoundError):
                store.put_state(table, node, "up", UP)

    def test_made_anew_it_has_none_but_a_later_version(self, table: Table) -> None:
        """Whoever makes it has slept since before the first one was made."""
        store.put_state(table, HOST, "up", UP)
        cleanup.delete_node(table, HOST)
        table.settle()
        store.put_node(table, HOST, [], 1)
        state = store.node(table, HOST)[0]
        assert state.name == ""
        assert state.version > 2

    def test_an_edge_of_somebody_who_has_slept_since_its_former_life(self, table: Table) -> None:
        store.put_state(table, HOST, "up", UP)
        put(table)
        asleep = [table.items[EDGE], table.items[MIRROR]]
        cleanup.delete_node(table, HOST)
        table.settle()
        store.put_node(table, HOST, [], 1)
        table.put_many(asleep)
        table.settle()
        assert told(table) == ("", {})

    def test_its_version_is_kept_for_a_day(self, table: Table) -> None:
        cleanup.delete_node(table, HOST)
        before = int(table.clock)
        table.settle()
        node = codec.node(table.items[keys.NODE_ITEM(HOST)])
        assert node.forgotten
        assert table.settle() == 0
        assert node.deleting
        assert before < node.forgotten


class TestPasses:
    """A host runs five services: two edges are filled at once, and two with each step."""

    SERVICES = tuple(NodeId("service", name) for name in "abcde")

    @pytest.fixture(autouse=True)
    def edges(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(telling, "AT_ONCE", 2)
        monkeypatch.setattr(telling, "STEP", 2)
        for service in self.SERVICES:
            store.put_node(table, service, [], 1)
            put(table, HOST, "RUNS", service)
        table.settle()

    def told(self, table: MemoryTable) -> list[str]:
        return [told(table, keys.mirror(HOST, "RUNS", service))[0] for service in self.SERVICES]

    def step(self, table: Table) -> None:
        """The cascade sees the next change that entails something."""
        (shard,) = table.shards.values()
        while table.seen < len(shard):
            table.seen += 1
            if pending := FOLLOW_UPS.pending(shard[table.seen - 1]):
                FOLLOW_UPS.finish(table, [pending])
                return

    def test_all_edges_are_told_in_steps(self, table: Table) -> None:
        store.put_state(table, HOST, "up", UP)
        for filled in (0, 2, 4, 5):
            self.step(table)
            assert self.told(table) == ["up"] * filled + [""] * (5 - filled)
        assert keys.PASSING(HOST, "out", "RUNS") not in table.items

    def test_a_change_on_the_way_takes_one_round_more_from_there(self, table: Table) -> None:
        store.put_state(table, HOST, "up", UP)
        self.step(table)
        self.step(table)
        for load in range(10):
            store.put_state(table, HOST, "down", {"load": Decimal(load)})
        (shard,) = table.shards.values()
        written = len(shard)
        table.settle()
        assert self.told(table) == ["down"] * 5
        fills = [each for each in shard[written:] if "FROM#" in each["dynamodb"]["Keys"]["SK"]["S"]]
        assert len(fills) == 5

    def test_a_node_that_goes_ends_its_pass(self, table: Table) -> None:
        store.put_state(table, HOST, "up", UP)
        self.step(table)
        cleanup.delete_node(table, HOST)
        table.settle()
        assert keys.PASSING(HOST, "out", "RUNS") not in table.items

    def test_a_step_that_is_repeated_does_nothing(self, table: Table) -> None:
        store.put_state(table, HOST, "up", UP)
        self.step(table)
        record = table.shards["shard-0"][-1]
        self.step(table)
        before = dict(table.items)
        pending = FOLLOW_UPS.pending(record)
        assert pending
        FOLLOW_UPS.finish(table, [pending])
        assert table.items == before

    def test_a_step_reads_the_node_as_it_is(self) -> None:
        """An eventually consistent read would show it as it was before the pass began."""
        table = LaggingMemory()
        for node in (HOST, *self.SERVICES):
            store.put_node(table, node, [], 1)
        table.put_many(
            [item for each in self.SERVICES for item in codec.edge_items(GraphEdge(HOST, "RUNS", each, Decimal(1)))]
        )
        table.catch_up()
        store.put_state(table, HOST, "up", UP)
        telling.tell(table, [HOST])
        while item := table.get(keys.PASSING(HOST, "out", "RUNS")):
            telling.go_on(table, [passes.passing(item)])
        assert self.told(table) == ["up"] * 5


RING = "abcdefg"


@given(st.lists(st.booleans(), max_size=12), st.integers(1, 3), st.randoms(use_true_random=True))
def test_after_the_last_change_a_pass_goes_around_once(renewals: list[bool], page: int, random: Random) -> None:
    """`since`: the edges filled since then. Steps fill a page, changes come at any time."""
    at: Pass | None = Pass(HOST, "out", "RUNS", 1, 1)
    since: list[str] = []
    for renews in [*renewals, *[False] * 20]:
        if at is None:
            break
        if renews:
            at, since = at.renewed(2), []
            continue
        left = [key for key in RING if key > at.reached]
        filled, more = left[:page], len(left) > page
        since += filled
        at = at.filled(len(filled), filled[-1] if more else None)
    assert at is None
    assert set(since) == set(RING)
    assert len(since) < len(RING) + page


@given(st.lists(st.booleans(), max_size=40), st.integers(1, 3))
def test_a_change_is_under_way_until_all_edges_have_been_filled_after_it(renewals: list[bool], page: int) -> None:
    """And hardly longer: changes that come all the time don't make what is known of them stand still."""
    at: Pass | None = Pass(HOST, "out", "RUNS", 1, begun=1)
    filled: list[tuple[int, str]] = []  # when, and what
    changes = [1]
    for now, renews in enumerate([*renewals, *[False] * 20], 2):
        if at is None:
            break
        if renews:
            at = at.renewed(now)
            changes.append(now)
            continue
        left = [key for key in RING if key > at.reached]
        filled += [(now, key) for key in left[:page]]
        at = at.filled(min(page, len(left)), left[page - 1] if len(left) > page else None)
        lacking = [change for change in changes if {key for then, key in filled if then > change} != set(RING)]
        assert at is None or at.begun <= min(lacking, default=now)
        assert at is None or sum(then > at.begun for then, _ in filled) <= 2 * (len(RING) + page)


def test_versions_of_a_pass_never_repeat() -> None:
    begun = Pass(HOST, "out", "RUNS", 5, 1)
    following = begun.filled(1, "a")
    assert following
    assert (following.version, begun.renewed(2).version) == (6, 6)
    assert passes.passing(passes.pass_item(following.renewed(2))) == following.renewed(2)


def test_a_type_without_states_tells_none() -> None:
    with pytest.raises(Exception, match="RUNS tells the state of box"):
        told_to({"RUNS": Label(ends=("box", "service"), tells=("in",))})
