"""The declaration that users name the cells of a kind's aggregates."""

from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.parts import Part


class Unbounded(Part):
    """Users name the cells, so an aggregate may have any number of them, in several items.

    It then can't feed other aggregates, nor be shared.
    """


def is_unbounded(kind: Kind) -> bool:
    """Whether users name the cells of a kind's aggregates."""
    return kind.part(Unbounded) is not None
