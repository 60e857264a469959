"""Responses that tell what moved last, and what a recount by the way has found."""

from pydantic import BaseModel

from functions.systems.operations.models import ComparedOut, Named
from functions.web.common import Counted


class ExactnessOut(BaseModel):
    """One step of a recount that goes on by its cursor, through all that directories list and what lies below them.

    `compared` aggregates were counted anew from their sources: `equal`, `lacking` (they say so themselves) or `wrong`,
    of which the last two are `shown`. Not among them are those `doubted`: they differ, and are looked at again in the
    next step, because a change may be on its way; and those `passed` over, whose sources a step has no time for.
    `ended`: all that is listed has been looked at, and the next step begins anew. `cursor`: where it goes on, or what
    it looks at again; null if neither.
    """

    at: str
    compared: int
    equal: int
    lacking: int
    wrong: int
    doubted: int
    passed: int
    shown: list[ComparedOut]
    ended: bool
    cursor: str | None


class MovedOut(BaseModel):
    """An aggregate, when the last record was made that it has absorbed, and its greatest count."""

    kind: str
    dimensions: list[Named]
    at: str
    cell: str
    count: int
    lacks: str | None


class RecentOut(Counted):
    """Of the `looked` aggregates that were read, those that a record has moved, the last one first.

    `cursor`: where to look on, null after the last that is listed; so the first answer is all there is if it has none.
    """

    at: str
    looked: int
    moved: list[MovedOut]
    cursor: str | None
