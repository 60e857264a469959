"""What neighbours come to keeps the state that its node derives from it: the same write changes both."""

from collections.abc import Mapping
from functools import partial
from itertools import chain

from edgewise import AggregateId, Alert, Alerts, Cell, Item
from edgewise.aggregates.deriving import Deriving
from functions.systems.graph import codec, declared
from functions.systems.graph.declared import DERIVED
from functions.systems.graph.entity import State
from functions.systems.graph.rules import Derived


class DerivedState(Deriving[State]):
    """Its aggregates keep a state, with the version that they had when it last changed."""

    costs = "the state that a node derives of its neighbours is kept in the same item"

    def read(self, item: Item) -> State | None:
        """The state that is kept."""
        return codec.state(item) if "StateVersion" in item else None

    def attributes(self, kept: State) -> Item:
        """The inverse of `read`."""
        return codec.told(kept)

    def following(
        self, about: AggregateId, version: int, cells: Mapping[str, Cell], kept: State | None
    ) -> State | None:
        """The state that follows from the cells; a kept one that is equal stays, with its version."""
        rule = _rule(about)
        derived = rule.state(version, cells) if rule else None
        return kept if derived and kept and derived[1:] == kept[1:] else derived


def _rule(about: AggregateId) -> Derived | None:
    node, direction, label = about.dimensions
    assert isinstance(node, tuple)  # perhaps a plain one: so it is in names that were stored
    rule = DERIVED.get(node[0])
    return rule if rule and (rule.direction, rule.label) == (direction, label) else None


def _alerting(state: str, about: AggregateId, cells: Mapping[str, Cell]) -> bool:
    """Whether the node is in this state, and its type raises alerts for that."""
    rule = _rule(about)
    if rule is None or rule not in _ALERTING.get(state, ()):
        return False
    return rule.state(0, cells).name == state


_ALERTING = {
    state: tuple(DERIVED[of] for of, states in declared.ALERTS.items() if state in states)
    for state in dict.fromkeys(chain(*declared.ALERTS.values()))
}
ALERTS = Alerts(*(Alert(state, partial(_alerting, state)) for state in _ALERTING))
