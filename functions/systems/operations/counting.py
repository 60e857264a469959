"""A count that takes several requests: what one leaves for the next, as a cursor that only the API can read."""

import json
from dataclasses import dataclass
from typing import Any

from edgewise import AggregateId, InvalidInputError, clock
from edgewise.aggregates.cells import pack, unpack
from edgewise.dynamodb.pages import SENT_BYTES
from edgewise.stream.levels import Ahead, Descent, Level
from edgewise.stream.sources import Reached
from edgewise.stream.verification import Begun
from functions.catalog import CATALOG
from functions.systems.operations import telling
from functions.systems.operations.models import ComparedOut, CountOut
from functions.web import runtime


@dataclass
class Counting:
    """A count of an aggregate and of those below it; `asked`: that aggregate, as far as earlier requests have come."""

    about: AggregateId
    descent: Descent
    asked: ComparedOut | None = None

    @classmethod
    def of(cls, about: AggregateId, cursor: str | None) -> "Counting":
        """One that begins, or goes on; raises InvalidInputError for a cursor of another count."""
        position = runtime.cursors().decode(_query(about), cursor, longest=SENT_BYTES)
        if position is None:
            return cls(about, Descent([Ahead(about)]))
        try:
            left = json.loads(position["left"])
            return cls(about, _descent(left), ComparedOut(**left["asked"]))
        except (KeyError, TypeError, ValueError) as error:  # of a release that counted something else
            raise InvalidInputError.of("cursor", "is of another release: begin again without it") from error

    def go_on(self, may_go_on: clock.MayGoOn) -> CountOut:
        """Count on, and tell how far it has come. What makes no progress has no cursor."""
        before = self._left()
        self.descent.go_on(runtime.table(), self.about, may_go_on)
        if self.descent.asked:
            self.asked = telling.compared(self.descent.asked)
        assert self.asked
        told = telling.descended(self.descent, self.asked)
        return CountOut(**told.model_dump(), cursor=self._cursor() if self._left() != before else None)

    def _cursor(self) -> str | None:
        assert self.asked
        left = json.dumps(self._left() | {"asked": self.asked.model_dump()}, separators=(",", ":"))
        cursor = runtime.cursors().encode(_query(self.about), {"left": left}) if self.descent.ahead else None
        return cursor if cursor and len(cursor) <= SENT_BYTES else None

    def _left(self) -> dict[str, Any]:
        return {
            "ahead": [[each.about.plain, _plain(each)] for each in self.descent.ahead],
            "levels": [[level.kind.name, level.compared, level.wrong] for level in self.descent.levels],
        }


def _query(about: AggregateId) -> dict[str, object]:
    return {"route": "count", "about": about.plain}


def _plain(ahead: Ahead) -> list[Any]:
    about, begun = ahead
    cells = {name: pack(cell, about.bucket_start(name)) for name, cell in begun.cells.items()}
    return [cells, begun.sources, begun.unreadable, list(begun.named), begun.read]


def _descent(left: dict[str, Any]) -> Descent:
    kinds = ((CATALOG.kinds[name], *numbers) for name, *numbers in left["levels"])
    return Descent(
        [_ahead(CATALOG.named(plain), *begun) for plain, begun in left["ahead"]],
        {kind: Level(kind, *numbers) for kind, *numbers in kinds},
    )


def _ahead(
    about: AggregateId, cells: dict[str, Any], sources: int, unreadable: int, named: list[str], read: list[Any]
) -> Ahead:
    counted = {name: unpack(packed, about.bucket_start(name)) for name, packed in cells.items()}
    return Ahead(about, Begun(counted, sources, unreadable, tuple(named), Reached(*read)))
