"""Translates a search of the graph into a key condition on the index by value."""

from dataclasses import dataclass

from edgewise import InvalidInputError
from edgewise.dynamodb.queries import KeyCondition
from functions.systems.graph import patterns
from functions.systems.graph.entity import AttributeKind
from functions.systems.graph.values import components
from functions.web import spelling
from functions.web.ranges import half_open


@dataclass(frozen=True)
class Search:
    """A search as it was sent: with a value, or a beginning, or a start or end."""

    kind: AttributeKind
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
        found = self._components("begins_with", text)
        if self.kind == "place":
            return patterns.with_place(found)
        return patterns.with_beginning(found[0])

    def _between(self) -> KeyCondition:
        low = () if self.start is None else self._components("from", self.start)
        high = () if self.end is None else self._components("to", self.end)
        half_open(low or None, high or None)
        return patterns.with_values_between(low, high)

    def _components(self, field: str, text: str, *, whole: bool = False) -> tuple[str, ...]:
        try:
            value = [spelling.read(component) for component in text.split("/")] if self.kind == "place" else text
            return components(self.kind, value, whole=whole)
        except ValueError as error:
            raise InvalidInputError.of(field, str(error)) from error
