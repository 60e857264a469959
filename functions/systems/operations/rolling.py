"""Decides what a recount by the way says of an aggregate: nothing is called equal that was not compared.

The stream may be about to change what is stored, so a difference alone says nothing. It is looked at again: if its
sources are still the same, and the aggregate holds all that was written before the first look, then it is wrong.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, NamedTuple

from edgewise import AggregateId, Millis
from edgewise.stream.verification import Verification
from edgewise.times import SECOND
from functions.catalog import CATALOG

# So many doubts are kept for the next step; a cursor must be short.
MOST_DOUBTS: Final = 5
# Where nobody tells how far the stream's reader is, so long after a look all must be absorbed that came before it.
UNTOLD: Final[Millis] = 300 * SECOND


class Verdict(Enum):
    """What was found: LACKS is one that says so itself. DOUBTED is looked at again; PASSED has too many sources."""

    EQUAL = "equal"
    LACKS = "lacks"
    WRONG = "wrong"
    DOUBTED = "doubted"
    PASSED = "passed"


class Doubt(NamedTuple):
    """An aggregate that differed when it was first looked at, and what its sources said."""

    about: AggregateId
    at: Millis
    recounted: str

    @property
    def plain(self) -> list[Any]:
        """The doubt as plain JSON values."""
        return [self.about.plain, self.at, self.recounted]

    @classmethod
    def of_plain(cls, plain: Iterable[Any]) -> "Doubt":
        """The inverse; raises KeyError, TypeError or ValueError, also if the catalog has changed since."""
        named, at, recounted = plain
        return cls(CATALOG.named(named), int(at), str(recounted))


def judged(found: Verification, before: Doubt | None, holds: Millis | None) -> Verdict:
    """What a comparison says; `holds`: until when the aggregate has absorbed all changes, None if that is unknown."""
    if not found.complete:
        return Verdict.PASSED
    if found.stored.lacks or found.lacks:
        return Verdict.LACKS
    if found.equal:
        return Verdict.EQUAL
    same = before is not None and before.recounted == digest(found)
    absorbed = before is not None and holds is not None and holds >= before.at
    return Verdict.WRONG if same and absorbed else Verdict.DOUBTED


def digest(found: Verification) -> str:
    """What the sources of an aggregate say, in a few characters."""
    text = json.dumps(found.packed(found.recounted), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass
class Step:
    """What one step has found so far: how many of each verdict, what is wrong or lacks something, what is doubted."""

    counts: Counter[Verdict] = field(default_factory=Counter)
    shown: list[Verification] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    def add(self, found: Verification, before: Doubt | None, holds: Millis | None, now: Millis) -> Verdict:
        """Judge one more."""
        verdict = judged(found, before, holds)
        self.counts[verdict] += 1
        if verdict in (Verdict.WRONG, Verdict.LACKS):
            self.shown.append(found)
        if verdict is Verdict.DOUBTED:
            self._doubt(found, before, now)
        return verdict

    def _doubt(self, found: Verification, before: Doubt | None, now: Millis) -> None:
        told = digest(found)
        since = before.at if before and before.recounted == told else now
        self.doubts = [*self.doubts, Doubt(found.stored.id, since, told)][-MOST_DOUBTS:]

    @property
    def compared(self) -> int:
        """How many were compared, and said what they are."""
        return sum(self.counts[each] for each in (Verdict.EQUAL, Verdict.LACKS, Verdict.WRONG))
