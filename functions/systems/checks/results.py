"""What a run left in the bucket: a summary, and of a reconcile the differences in gzipped lines of JSON.

The job writes all of it but what was verified directly afterwards.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from functions.bucket import Bucket
from functions.errors import TornResultError
from functions.systems.checks.entity import (
    COUNTS,
    MAX_STORED,
    WHYS,
    Difference,
    Figures,
    Numbered,
    Run,
    Unjudged,
    Why,
    kept,
)

Model = TypeVar("Model", bound=BaseModel)
Parsed = TypeVar("Parsed")
Count = Annotated[int, Field(ge=0)]
_LINES = TypeAdapter(Difference)


class Summary(BaseModel):
    """What the job of every run tells of it; `seconds` is how long it took."""

    run: str
    items: Count
    seconds: Annotated[Decimal, Field(ge=0)]
    differences: dict[str, dict[Why, Count]] = {}


class Reconciled(Summary):
    """The summary of a reconcile."""

    sources: Count
    aggregates: Count
    unsettled: Count
    quarantined: Count
    expired: Count
    unreadable: Count
    doubtful: Count
    waiting: Count
    unjudged: list[Unjudged]
    differences: dict[str, dict[Why, Count]]


class Direct(BaseModel):
    """What was verified directly: how many are right, how many were busy all the time, and which are wrong."""

    verified: Count
    busy: Count
    differences: list[Difference]


class Filled(Summary):
    """The summary of a fill."""

    nodes: Count
    edges: Count
    components: Count


@dataclass(frozen=True)
class Results:
    """What a run found, and the differences to be stored, each with its number among all."""

    figures: Figures
    differences: Numbered = ()


def folder(run: str) -> str:
    """Where everything of a run is in the bucket."""
    return f"runs/{run}"


def result(run: str) -> str:
    """Where what a run has found is in the bucket."""
    return f"{folder(run)}/result"


def direct(run: str) -> str:
    """The file that says what was verified directly."""
    return f"{result(run)}/direct.json"


def doubtful(run: str) -> str:
    """The folder of lines that name what is to be verified directly."""
    return f"{result(run)}/doubtful/"


def unverified(number: int) -> Direct:
    """What is told of so many aggregates if none was verified directly, because the consumer was behind."""
    return Direct(verified=0, busy=number, differences=[])


def read(bucket: Bucket, run: Run) -> Results:
    """Read everything, but keep no more than is stored; raises TornResultError if anything is missing or torn."""
    told = _summary(bucket, f"{result(run.name)}/summary.json", run)
    counts = told.model_dump(include=set(COUNTS[run.kind]))
    if not isinstance(told, Reconciled):
        return Results(Figures(counts, seconds=told.seconds))
    directly = _direct(bucket, run, told)
    counted, first = chosen(chain(lines(bucket, _differences(run), _LINES.validate_json), directly.differences))
    expected = _flat(told) + Counter((each.kind, each.why) for each in directly.differences)
    if counted != expected:
        raise TornResultError(_differences(run), "its lines are not those that the summary counted")
    by_kind = {kind: {why: counted[kind, why] for why in WHYS} for kind in sorted({kind for kind, _ in counted})}
    totals: dict[Why, int] = {why: sum(each[why] for each in by_kind.values()) for why in WHYS}
    counts |= {"verified": directly.verified, "busy": directly.busy}
    unlisted = counted.total() - len(first)
    return Results(Figures(counts, totals, by_kind, unlisted, told.seconds, unjudged=told.unjudged), first)


def _summary(bucket: Bucket, key: str, run: Run) -> Summary:
    found: Summary = _parsed(bucket, key, Reconciled if run.kind == "reconcile" else Filled)
    if found.run != run.name:
        raise TornResultError(key, f"it is of the run {found.run}")
    return found


def _parsed(bucket: Bucket, key: str, model: type[Model]) -> Model:
    try:
        return model.model_validate_json(bucket.read(key))
    except ValidationError as error:
        raise TornResultError(key, str(error)) from error


def _differences(run: Run) -> str:
    """The folder of those that the job has found."""
    return f"{result(run.name)}/differences/"


def _direct(bucket: Bucket, run: Run, told: Reconciled) -> Direct:
    there = bucket.keys(direct(run.name))
    return _parsed(bucket, direct(run.name), Direct) if there else unverified(told.doubtful)


def parts(bucket: Bucket, prefix: str) -> list[str]:
    """The files of lines in a folder; raises TornResultError if the job has not finished it."""
    keys = bucket.keys(prefix)
    if f"{prefix}_SUCCESS" not in keys:
        raise TornResultError(f"{prefix}_SUCCESS", "it is missing")
    return [key for key in keys if key.startswith(f"{prefix}part-")]


def lines(bucket: Bucket, prefix: str, parse: Callable[[bytes], Parsed]) -> Iterator[Parsed]:
    """What `parse` makes of each line in all files of a folder; raises TornResultError."""
    for key in parts(bucket, prefix):
        yield from bucket.parsed(key, parse)


def chosen(found: Iterable[Difference]) -> tuple[Counter[tuple[str, Why]], Numbered]:
    """How many there are of each kind, for each reason; and the first MAX_STORED, causes first, as they are stored."""
    counted: Counter[tuple[str, Why]] = Counter()
    first: dict[Why, list[tuple[int, Difference]]] = {why: [] for why in WHYS}
    for number, each in enumerate(found):
        counted[each.kind, each.why] += 1
        if len(first[each.why]) < MAX_STORED:
            first[each.why].append((number, kept(each)))
    return counted, [*chain.from_iterable(first.values())][:MAX_STORED]


def _flat(told: Summary) -> Counter[tuple[str, Why]]:
    """Counters are equal whether or not they name what there is none of."""
    return Counter({(kind, why): n for kind, by_why in told.differences.items() for why, n in by_why.items()})
