"""After any history of a graph and any delivery to the cascade, edges tell the states that their neighbours have."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.systems.graph import passes, telling
from tests.delivery.cascading import LaggingMemory
from tests.delivery.dangling import (
    DELIVER,
    ENDS,
    FILL,
    HOSTS,
    NEVER,
    SERVICES,
    SUPPLIERS,
    WAKE,
    DeleteEdge,
    DeleteNode,
    Happening,
    PutEdge,
    PutNode,
    PutState,
    World,
)

nodes, ends = st.sampled_from([*HOSTS, *SERVICES, *SUPPLIERS]), st.sampled_from(ENDS)
states = st.builds(PutState, st.sampled_from([*HOSTS, *SUPPLIERS]), st.sampled_from(("up", "down")), st.integers(0, 9))
happenings = st.lists(
    st.one_of(
        st.builds(lambda of, sleeps: PutEdge(of[0], of[1], sleeps), ends, st.sampled_from((True, True, False))),
        states,
        states,
        st.builds(lambda of, *how: DeleteEdge(*of, *how), ends, st.booleans(), st.sampled_from((NEVER, NEVER, 1))),
        st.one_of(st.builds(PutNode, nodes), st.builds(DeleteNode, nodes, st.sampled_from((NEVER, NEVER, 1, 0)))),
        st.sampled_from((WAKE, DELIVER, DELIVER, FILL)),
    ),
    min_size=10,
    max_size=20,
)


@pytest.fixture(autouse=True, scope="module", params=[passes.MOST, 2], ids=["by the stream", "the rest by a fill"])
def small_steps(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(telling, "AT_ONCE", 2)
        patched.setattr(telling, "STEP", 1)
        patched.setattr(passes, "MOST", request.param)
        yield


@given(histories=st.lists(happenings, min_size=4, max_size=4), random=st.randoms(use_true_random=True))
def test_edges_tell_the_states_of_neighbours(histories: list[list[Happening]], random: Random) -> None:
    world = World(random, LaggingMemory(), [*HOSTS, *SERVICES, *SUPPLIERS])
    for history in histories:
        world.live_through(history)
        assert not world.stale
        assert not world.passes
        assert not world.unlike
        assert not world.dangling
