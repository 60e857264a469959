"""What a run's job left in the bucket: a summary, and of a reconcile the differences in gzipped lines of JSON."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Annotated

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from functions.bucket import Bucket
from functions.errors import TornResultError
from functions.systems.checks.entity import COUNTS, MAX_STORED, WHYS, Difference, Figures, Numbered, Run, Why, kept

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
    unreadable: Count
    differences: dict[str, dict[Why, Count]]


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


def read(bucket: Bucket, run: Run) -> Results:
    """Read everything, but keep no more than is stored; raises TornResultError if anything is missing or torn."""
    where = f"{folder(run.name)}/result"
    told = _summary(bucket, f"{where}/summary.json", run)
    counted, first = _differences(bucket, f"{where}/differences/", told)
    if counted != _flat(told):
        raise TornResultError(f"{where}/differences/", "its lines are not those that the summary counted")
    totals: dict[Why, int] = {why: sum(each.get(why, 0) for each in told.differences.values()) for why in WHYS}
    counts = told.model_dump(include=set(COUNTS[run.kind]))
    figures = Figures(counts, totals, told.differences, counted.total() - len(first), told.seconds)
    return Results(figures, first)


def _summary(bucket: Bucket, key: str, run: Run) -> Summary:
    model = Reconciled if run.kind == "reconcile" else Filled
    try:
        found = model.model_validate_json(bucket.read(key))
    except ValidationError as error:
        raise TornResultError(key, str(error)) from error
    if found.run != run.name:
        raise TornResultError(key, f"it is of the run {found.run}")
    return found


def _differences(bucket: Bucket, prefix: str, told: Summary) -> tuple[Counter[tuple[str, Why]], Numbered]:
    """How many there are in all parts, and the first of them; none of a fill."""
    if isinstance(told, Filled):
        return Counter(), ()
    return chosen(chain.from_iterable(_part(bucket, key) for key in parts(bucket, prefix)))


def parts(bucket: Bucket, prefix: str) -> list[str]:
    """The files of lines in a folder; raises TornResultError if the job has not finished it."""
    keys = bucket.keys(prefix)
    if f"{prefix}_SUCCESS" not in keys:
        raise TornResultError(f"{prefix}_SUCCESS", "it is missing")
    return [key for key in keys if key.startswith(f"{prefix}part-")]


def chosen(found: Iterable[Difference]) -> tuple[Counter[tuple[str, Why]], Numbered]:
    """How many there are of each kind, for each reason; and the first MAX_STORED, causes first, as they are stored."""
    counted: Counter[tuple[str, Why]] = Counter()
    first: dict[Why, list[tuple[int, Difference]]] = {why: [] for why in WHYS}
    for number, each in enumerate(found):
        counted[each.kind, each.why] += 1
        if len(first[each.why]) < MAX_STORED:
            first[each.why].append((number, kept(each)))
    return counted, [*chain.from_iterable(first.values())][:MAX_STORED]


def _part(bucket: Bucket, key: str) -> Iterator[Difference]:
    for number, line in enumerate(bucket.lines(key), 1):
        try:
            yield _LINES.validate_json(line)
        except ValidationError as error:
            raise TornResultError(f"{key}, line {number}", str(error)) from error


def _flat(told: Summary) -> Counter[tuple[str, Why]]:
    """Counters are equal whether or not they name what there is none of."""
    return Counter({(kind, why): n for kind, by_why in told.differences.items() for why, n in by_why.items()})
