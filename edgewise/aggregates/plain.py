"""What an aggregate's item says for readers in any language: plain values, beside those that the engine counts by."""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import ClassVar

from edgewise.aggregates.measures import Cell
from edgewise.dynamodb.attributes import Item


@dataclass(frozen=True, eq=False)
class Plain:
    """Its items say in plain values what they count.

    `attributes` gives these from its cells, from the names of those whose extremes are unknown, and from whether it
    lacks something.
    """

    costs: ClassVar[str] = ""

    attributes: Callable[[Mapping[str, Cell], Set[str], bool], Item]
