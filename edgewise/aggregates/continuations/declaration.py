"""The declaration that users name the cells of a kind's aggregates."""

from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.parts import Part


class Unbounded(Part):
    """Users name the cells, so an aggregate may have any number of them, in several items.

    It then can't feed other aggregates, nor be shared.
    """

    costs = "cells that don't fit into the item stand in further ones, each of which costs as much as the item"


def is_unbounded(kind: Kind) -> bool:
    """Whether users name the cells of a kind's aggregates."""
    return kind.part(Unbounded) is not None
