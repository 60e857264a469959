"""Single aggregates: what there is of one, and whether it equals what its sources say."""

from collections.abc import Sequence
from time import monotonic
from typing import Any

from aws_lambda_powertools.event_handler import Response
from pydantic import TypeAdapter, ValidationError

from edgewise import AggregateId, InvalidInputError, Kind, NotFoundError
from edgewise.aggregates.inspection import inspect
from edgewise.stream import incomplete, incomplete_patterns
from edgewise.stream.incomplete import Incomplete
from functions.catalog import CATALOG
from functions.settings import HTTP_PATIENCE_SECONDS
from functions.systems.operations import naming, telling
from functions.systems.operations.app import app
from functions.systems.operations.counting import Counting
from functions.systems.operations.models import (
    AggregateOut,
    CountIn,
    CountOut,
    DimensionsText,
    IncompleteOut,
    IncompletesOut,
    KindOut,
    KindsOut,
    KindText,
    Named,
    PartOut,
)
from functions.systems.operations.private import may_be_read
from functions.web import answers, http, runtime
from functions.web.paging import DEFAULT_LIMIT, CursorText, Limit, Paging

# A count ends when this much of the time for requests to the table is over: the last of them may take a while.
COUNTING_SECONDS = HTTP_PATIENCE_SECONDS - 2
_DIMENSIONS: TypeAdapter[list[Named]] = TypeAdapter(list[Named])


@http.route(
    app,
    "GET /aggregates/kinds",
    "All kinds of aggregates, and what names an aggregate of each",
    responses=answers.described(KindsOut),
)
def get_kinds() -> Response[str]:
    """No request to the table: the kinds are those that the code declares."""
    by_rank = sorted(CATALOG.kinds.values(), key=lambda kind: kind.rank)
    return answers.reply(KindsOut(kinds=list(map(_kind, by_rank))))


@http.route(
    app,
    "GET /aggregates",
    "One aggregate opened up: its cells, how far it has absorbed each shard, what waits for it",
    responses=answers.described(AggregateOut) | answers.NOT_FOUND,
)
def get_aggregate(kind: KindText, dimensions: DimensionsText) -> Response[str]:
    """One consistent read; further ones for continuations, and for what waits elsewhere."""
    about = naming.named(kind, _dimensions(dimensions))
    may_be_read(about.kind, http.caller(app))
    # Of which kind the answer is, only the request says.
    runtime.freshness().look((about.kind,), None)
    found = inspect(runtime.table(), about)
    if found is None:
        raise NotFoundError(kind, dimensions)
    return answers.reply(telling.aggregate(found))


@http.route(
    app,
    "POST /aggregates/count",
    "Count an aggregate anew from its stored sources, and those below it; the cursor of an answer goes on with it",
    responses=answers.described(CountOut),
    group="admin",
)
def count_aggregate(body: CountIn) -> Response[str]:
    """As many reads as there are sources, on all levels, until the time of a request is used up; then with a cursor."""
    until = monotonic() + COUNTING_SECONDS
    counting = Counting.of(naming.named(body.kind, body.dimensions), body.cursor)
    return answers.reply(counting.go_on(lambda: monotonic() < until))


@http.route(
    app,
    "GET /aggregates/incomplete",
    "The aggregates that are known to lack something, the oldest note first",
    responses=answers.described(IncompletesOut),
    group="admin",
)
def get_incomplete(limit: Limit = DEFAULT_LIMIT, cursor: CursorText = None) -> Response[str]:
    """One query of the index by value."""
    paging = Paging.of(incomplete_patterns.NOTES, cursor)
    found, position = incomplete.page(runtime.table(), limit, paging.after)
    return answers.reply(IncompletesOut(incomplete=list(map(_incomplete, found)), cursor=paging.next(position)))


def _kind(kind: Kind) -> KindOut:
    return KindOut(
        kind=kind.name,
        cells=kind.cells,
        rank=kind.rank,
        sources=list(kind.source_types),
        parts=[PartOut(name=name, form=form.written) for name, form in kind.key.forms.items()],
    )


def _dimensions(text: str) -> Sequence[Named]:
    try:
        return _DIMENSIONS.validate_json(text)
    except ValidationError as error:
        raise InvalidInputError.of("dimensions", "must be a JSON array of texts and of lists of texts") from error


def _incomplete(note: Incomplete) -> IncompleteOut:
    about = _named(note.kind, note.dimensions)
    if about is None:
        return IncompleteOut(kind=None, dimensions=[], why=note.why)
    return IncompleteOut(kind=note.kind, dimensions=naming.spelled(about), why=note.why)


def _named(kind: str, dimensions: Any) -> AggregateId | None:
    try:
        return CATALOG.named([kind, dimensions])
    except (KeyError, TypeError, ValueError):  # its name was cut, or a newer release counts what this one doesn't
        return None
