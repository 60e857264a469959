"""A recount by the way, a step with each request: what it costs is bounded, and nobody pays while nobody looks."""

import json
import random
from collections.abc import Callable
from time import monotonic
from typing import Final, NamedTuple

from aws_lambda_powertools.event_handler import Response

from edgewise import AggregateId, InvalidInputError, clock, rfc_3339
from edgewise.stream.verification import Verification, verify
from functions.systems.operations import listed, telling
from functions.systems.operations.app import app
from functions.systems.operations.listed import START, Place
from functions.systems.operations.rolling import UNTOLD, Doubt, Step, Verdict
from functions.systems.operations.rolling_models import ExactnessOut
from functions.web import answers, freshness, http, runtime
from functions.web.paging import CursorText

# What one step may take: read units and seconds, after which it reads no further source; and numbers.
READ_UNITS: Final = 250
SECONDS: Final = 2
NUMBERS: Final = 10
_QUERY: Final = {"route": "exactness"}


class _Left(NamedTuple):
    """What a step leaves for the next one."""

    place: Place
    doubts: list[Doubt]


@http.route(
    app,
    "GET /exactness",
    "One step of a rolling recount: a few numbers compared with their sources; the cursor of an answer goes on",
    responses=answers.described(ExactnessOut),
)
def get_exactness(cursor: CursorText = None) -> Response[str]:
    """At most 250 read units, and the page of a source that is being read then; nothing is written or kept."""
    left = _left(cursor)
    step, may_go_on = Step(), _budget(READ_UNITS, SECONDS)
    # Half of it for what is looked at again: what changes all the time must not keep the walk from going on.
    again = _budget(READ_UNITS / 2, SECONDS / 2)
    holds = freshness.holding(runtime.table(), UNTOLD) if left.doubts else None
    for doubt in left.doubts:
        found = _compared(doubt.about, again)
        step.add(found, doubt, holds and holds(doubt.about.kind), clock.now())
    place = _go_on(step, left.place, may_go_on)
    return answers.reply(
        ExactnessOut(
            at=rfc_3339(clock.now()),
            compared=step.compared,
            equal=step.counts[Verdict.EQUAL],
            lacking=step.counts[Verdict.LACKS],
            wrong=step.counts[Verdict.WRONG],
            doubted=len(step.doubts),
            passed=step.counts[Verdict.PASSED],
            shown=list(map(telling.compared, step.shown)),
            ended=place is None,
            cursor=_cursor(_Left(place or START, step.doubts)),
        )
    )


def _go_on(step: Step, start: Place, may_go_on: Callable[[], bool]) -> Place | None:
    """Compare what is listed next, each with one of those below it; returns where the next step goes on."""
    table = runtime.table()
    place: Place | None = start
    for number in range(NUMBERS):
        assert place
        names, following = listed.page(table, place, 1)
        for about in names:
            found = _compared(about, may_go_on)
            if not found.complete and number > 0:
                return place  # the next step has all of its time for it
            step.add(found, None, None, clock.now())
            _look_below(step, found, may_go_on)
        place = following
        if place is None or not may_go_on():
            break
    return place


def _look_below(step: Step, found: Verification, may_go_on: Callable[[], bool]) -> None:
    """Compare one of the aggregates that feed it: another one in each round."""
    if found.below and may_go_on():
        below = _compared(random.choice(found.below), may_go_on)
        if below.complete:
            step.add(below, None, None, clock.now())


def _compared(about: AggregateId, may_go_on: Callable[[], bool]) -> Verification:
    return verify(runtime.table(), about, may_go_on)


def _budget(units: float, seconds: float) -> Callable[[], bool]:
    """Whether it may be read on, with so much from now on."""
    usage, until = runtime.table().usage, monotonic() + seconds
    most = usage.read_units + units
    return lambda: monotonic() < until and usage.read_units < most


def _left(cursor: str | None) -> _Left:
    position = runtime.cursors().decode(_QUERY, cursor)
    if position is None:
        return _Left(START, [])
    try:
        left = json.loads(position["left"])
        place, doubts = Place.of(left["place"]), [Doubt.of_plain(each) for each in left["doubts"]]
    except (KeyError, TypeError, ValueError) as error:  # of a release that counted something else
        raise InvalidInputError.of("cursor", "is of another release: begin again without it") from error
    return _Left(place, doubts)


def _cursor(left: _Left) -> str | None:
    """Where the next step goes on; None if it begins anew, with nothing to look at again."""
    if left == _Left(START, []):
        return None
    plain = {"place": left.place.position, "doubts": [each.plain for each in left.doubts]}
    text = json.dumps(plain, separators=(",", ":"))
    return runtime.cursors().encode(_QUERY, {"left": text})
