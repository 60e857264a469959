"""Translates searches for nodes, and for a node's edges, into key conditions on the indexes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation

from edgewise import InvalidInputError
from edgewise.dynamodb.queries import KeyCondition
from functions.systems.graph import patterns
from functions.systems.graph.declared import DAILY, FORMS, LABELS, Form
from functions.systems.graph.entity import Direction
from functions.systems.graph.paths import path_of
from functions.systems.graph.values import components
from functions.web import spelling
from functions.web.ranges import half_open


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ValueError("must be a number") from error


def _flag(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError("must be true or false")
    return text == "true"


def _place(text: str) -> list[str]:
    return [spelling.read(component) for component in text.split("/")]


def days_between(label: str, start: date, end: date) -> tuple[str, str]:
    """The first day and the last one of a range; raises InvalidInputError, also if the label has no numbers by day."""
    if label not in DAILY:
        raise InvalidInputError.of("label", f"must be one of {', '.join(DAILY)}")
    half_open(start, end)
    return start.isoformat(), (end - timedelta(days=1)).isoformat()


def form_of_attribute(name: str) -> Form:
    """The form of an attribute; raises InvalidInputError if no type of node declares it."""
    if name not in FORMS:
        raise InvalidInputError.of("name", f"expected one of {', '.join(FORMS)}")
    return FORMS[name]


def form_of_edges(label: str | None, direction: Direction) -> Form:
    """The form by which a node's edges are found; raises InvalidInputError if their label declares none."""
    path = path_of(label or "")
    if path is None or direction not in path.directions:
        found = [name for name, each in LABELS.items() if each.path and direction in each.path.directions]
        raise InvalidInputError.of("label", f"is found by nothing in their data: expected one of {', '.join(found)}")
    return path.form


# What a text in a query stands for; of other forms, itself.
_READ: Mapping[Form, Callable[[str], object]] = {"number": _number, "flag": _flag, "place": _place}


@dataclass(frozen=True)
class Search:
    """A search as it was sent, for values of a form: with a value, or a beginning, or a start or end."""

    form: Form
    value: str | None
    beginning: str | None
    start: str | None
    end: str | None

    def condition(self) -> KeyCondition:
        """The condition that the values meet; raises InvalidInputError."""
        ways = (self.value is not None, self.beginning is not None, self.start is not None or self.end is not None)
        if sum(ways) != 1:
            raise InvalidInputError.of("value", "give exactly one of these: value, begins_with, or a range (from, to)")
        if self.value is not None:
            return patterns.with_value(self._components("value", self.value, whole=True))
        return self._between() if self.beginning is None else self._beginning(self.beginning)

    def _beginning(self, text: str) -> KeyCondition:
        if self.form in ("number", "flag"):
            raise InvalidInputError.of("begins_with", f"a {self.form} has no beginning: give value, from or to")
        found = self._components("begins_with", text)
        if self.form == "place":
            return patterns.with_place(found)
        return patterns.with_beginning(found[0])

    def _between(self) -> KeyCondition:
        low = () if self.start is None else self._components("from", self.start)
        high = () if self.end is None else self._components("to", self.end)
        half_open(low or None, high or None)
        return patterns.with_values_between(low, high)

    def _components(self, field: str, text: str, *, whole: bool = False) -> tuple[str, ...]:
        try:
            return components(self.form, _READ.get(self.form, str)(text), whole=whole)
        except ValueError as error:
            raise InvalidInputError.of(field, str(error)) from error
