"""What this application's graph knows of its nodes and edges. Any other type of node has edges alone.

From the attributes of each type follow what a node may be given, by what nodes are searched, the API's document and the
console's choices. Nodes of some types have a state. Edges of any label are found by their label; for some labels also
by what their data say, and the nodes at their ends count the states of their neighbours.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Literal, NamedTuple

from functions.systems.graph.entity import DIRECTIONS, IN, OUT, Direction
from functions.systems.graph.rules import Derived, at_least, in_state, share_of, sum_of, worst_of

# What a value is: a text; a number, found by its size; a day; a place, found with all places below it; true or false.
Form = Literal["text", "number", "date", "place", "flag"]

NODES: Final[Mapping[str, Mapping[str, Form]]] = {
    "person": {"name": "text", "born": "date", "lives_in": "place", "skill": "text"},
    "team": {"name": "text"},
    "product": {"name": "text", "category": "text", "price": "number", "sold": "flag"},
    "service": {"name": "text", "tier": "text", "since": "date", "stands_in": "place"},
}


class Watched(NamedTuple):
    """What is said of how nodes of a type are: one of these states, best first, and numbers of these names."""

    states: tuple[str, ...]
    measures: tuple[str, ...] = ()


_STATES = ("up", "degraded", "down")
_OF_AIRPORTS = ("open", "disrupted", "closed")
STATES: Final[Mapping[str, Watched]] = {
    "host": Watched(_STATES, ("load",)),
    "supplier": Watched(_STATES, ("delay",)),
    "airport": Watched(_OF_AIRPORTS, ("cancelled",)),
}
# Nodes of these types derive their state of that of their neighbours. The measures of these say of what is behind them:
# a business counts the hosts that are down, once for each of its services that they run.
DERIVED: Final[Mapping[str, Derived]] = {
    "service": Derived(
        "RUNS",
        IN,
        {
            "down": share_of(in_state("down"), Decimal(1)),
            "degraded": at_least(in_state("down", "degraded"), 1),
        },
        "up",
        {"hosts_down": in_state("down"), "load": sum_of("load")},
    ),
    "business": Derived("PART_OF", IN, worst_of("down", "degraded"), "up", {"hosts_down": sum_of("hosts_down")}),
    "route": Derived(
        "SERVES",
        IN,
        worst_of("closed", "disrupted"),
        "open",
        {"airports_closed": in_state("closed"), "cancelled": sum_of("cancelled")},
    ),
    "carrier": Derived(
        "FLOWN_BY",
        IN,
        {
            "closed": share_of(in_state("closed"), Decimal("0.5")),
            "disrupted": share_of(in_state("closed", "disrupted"), Decimal("0.25")),
        },
        "open",
        {"airports_closed": sum_of("airports_closed")},
    ),
}


# Whoever counts the neighbours of such a node raises an alert while its derived state is one of these.
ALERTS: Final[Mapping[str, tuple[str, ...]]] = {"business": ("degraded", "down"), "carrier": ("closed",)}


class Path(NamedTuple):
    """By what the edges of a label are found, among those of a node: a name in their data, and its form.

    For each direction it costs a write unit more: from the node that an edge leaves, from the one that it points at.
    """

    name: str
    form: Form
    directions: tuple[Direction, ...] = DIRECTIONS


class Label(NamedTuple):
    """What is known of the edges of a label: by what they are found, and what types of nodes they lead from and to.

    `tells`: a node counts the states of the nodes from which its edges come (`in`), or to which they lead (`out`).
    `daily`: the edges of a node are also counted by day, which is what they are found by. That takes a unit more at
    each end.
    """

    path: Path | None = None
    ends: tuple[str, str] | None = None
    tells: tuple[Direction, ...] = ()
    daily: bool = False

    def told_by(self, direction: Direction) -> str | None:
        """The type of the nodes whose states those at the other ends of such edges count; None: nobody's."""
        return self.ends[direction == OUT] if self.ends and direction in self.tells else None


LABELS: Final[Mapping[str, Label]] = {
    "BOUGHT": Label(Path("on", "date"), daily=True),
    "FLIES_TO": Label(Path("miles", "number", ("out",))),
    "RUNS": Label(ends=("host", "service"), tells=("in",)),
    "PART_OF": Label(ends=("service", "business"), tells=("in",)),
    "SERVES": Label(ends=("airport", "route"), tells=("in",)),
    "FLOWN_BY": Label(ends=("route", "carrier"), tells=("in",)),
    "NEEDS": Label(ends=("service", "supplier"), tells=("out",)),
}


class DeclarationError(Exception):
    """The declarations contradict each other."""


def forms_of(nodes: Mapping[str, Mapping[str, Form]]) -> Mapping[str, Form]:
    """The form of each attribute.

    Raises DeclarationError if two types declare one in two forms: the list of the nodes that have it has one order.
    """
    found: dict[str, Form] = {}
    for attributes in nodes.values():
        for name, form in attributes.items():
            if found.setdefault(name, form) != form:
                raise DeclarationError(f"{name} is declared as a {found[name]}, and as a {form}")
    return found


FORMS: Final = forms_of(NODES)


def telling(labels: Mapping[str, Label]) -> Mapping[str, tuple[tuple[str, Direction], ...]]:
    """For each type of node, the edges at whose other ends its state is counted: their label and direction there.

    Raises DeclarationError if nodes of that type have no state.
    """
    found: dict[str, tuple[tuple[str, Direction], ...]] = {}
    for name, label in labels.items():
        for direction in label.tells:
            teller = label.told_by(direction)
            if teller is None or teller not in (*STATES, *DERIVED):
                raise DeclarationError(f"{name} tells the state of {teller}, which has none")
            found[teller] = (*found.get(teller, ()), (name, direction))
    return found


TELLING: Final = telling(LABELS)


def ranked(derived: Mapping[str, Derived], labels: Mapping[str, Label]) -> Mapping[str, int]:
    """How many steps of derivation the state of each type is away from what is said of nodes.

    Raises DeclarationError if a type derives its state of its own in the end, or of nodes that it does not count.
    """

    def level(of: str, seen: tuple[str, ...]) -> int:
        if of not in derived:
            return 0
        rule = derived[of]
        teller = labels[rule.label].told_by(rule.direction) if rule.label in labels else None
        if teller is None:
            raise DeclarationError(f"{of} derives its state along {rule.label}, which tells it none")
        if teller in (*seen, of):
            raise DeclarationError(f"the state of {of} is derived of its own")
        return 1 + level(teller, (*seen, of))

    return {each: level(each, ()) for each in derived}


LEVELS: Final = ranked(DERIVED, LABELS)


def by_day(labels: Mapping[str, Label]) -> tuple[str, ...]:
    """The labels whose edges are counted by day.

    Raises DeclarationError if their edges are not found by a date.
    """
    found = tuple(name for name, label in labels.items() if label.daily)
    for name in found:
        path = labels[name].path
        if path is None or path.form != "date":
            raise DeclarationError(f"{name} counts by day, but its edges are not found by a date")
    return found


DAILY: Final = by_day(LABELS)
