"""After any history of a graph and any delivery to the cascade no edge dangles, and none is missing, nor its mirror."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.systems.graph import cleanup as graph_cleanup
from tests.delivery.cascading import LaggingMemory
from tests.delivery.dangling import (
    CATCH_UP,
    DELIVER,
    NEVER,
    NODES,
    WAKE,
    DeleteEdge,
    DeleteNode,
    Happening,
    PutEdge,
    PutNode,
    World,
)

nodes = st.sampled_from(NODES)
edges = st.builds(PutEdge, nodes, nodes, st.sampled_from((True, True, False)))
happenings = st.lists(
    st.one_of(
        edges,
        edges,
        st.builds(DeleteNode, nodes, st.sampled_from((NEVER, NEVER, 2, 1, 0))),
        st.builds(DeleteEdge, nodes, nodes, st.booleans(), st.sampled_from((NEVER, NEVER, 1))),
        st.one_of(st.builds(PutNode, nodes), st.just(CATCH_UP)),
        st.sampled_from((WAKE, DELIVER, DELIVER)),
    ),
    min_size=10,
    max_size=20,
)


@pytest.fixture(autouse=True, scope="module")
def small_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(graph_cleanup, "_PER_STEP", 2)
        patched.setattr(graph_cleanup, "_EDGES_PER_STEP", 2)
        yield


@given(histories=st.lists(happenings, min_size=4, max_size=4), random=st.randoms(use_true_random=True))
def test_no_edge_dangles_none_is_missing_and_all_have_mirrors(histories: list[list[Happening]], random: Random) -> None:
    world = World(random, LaggingMemory())
    for history in histories:
        world.live_through(history)
        assert not world.half_deleted
        assert not world.dangling
        assert not world.missing
        assert not world.unlike
