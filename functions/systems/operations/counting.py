"""A count that takes several requests: what one leaves for the next, as a cursor that only the API can read."""

import json
from dataclasses import dataclass

from edgewise import AggregateId, InvalidInputError, clock
from edgewise.dynamodb.pages import SENT_BYTES
from edgewise.stream.levels import Descent
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
            return cls(about, Descent.of(about))
        try:
            left = json.loads(position["left"])
            return cls(about, Descent.of_plain(CATALOG, left), ComparedOut(**left["asked"]))
        except (KeyError, TypeError, ValueError) as error:  # of a release that counted something else
            raise InvalidInputError.of("cursor", "is of another release: begin again without it") from error

    def go_on(self, may_go_on: clock.MayGoOn) -> CountOut:
        """Count on, and tell how far it has come. What makes no progress has no cursor."""
        before = self.descent.plain
        self.descent.go_on(runtime.table(), self.about, may_go_on)
        if self.descent.asked:
            self.asked = telling.compared(self.descent.asked)
        assert self.asked
        told = telling.descended(self.descent, self.asked)
        return CountOut(**told.model_dump(), cursor=self._cursor() if self.descent.plain != before else None)

    def _cursor(self) -> str | None:
        assert self.asked
        left = json.dumps(self.descent.plain | {"asked": self.asked.model_dump()}, separators=(",", ":"))
        cursor = runtime.cursors().encode(_query(self.about), {"left": left}) if self.descent.ahead else None
        return cursor if cursor and len(cursor) <= SENT_BYTES else None


def _query(about: AggregateId) -> dict[str, object]:
    return {"route": "count", "about": about.plain}
