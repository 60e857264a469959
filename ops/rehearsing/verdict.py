"""Whether a release may be deployed: what it computes otherwise must be announced (functions/announced.py). Pure."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from edgewise.stream.kept import KeptBatch
from functions.announced import Announced
from ops.rehearsing.differing import Difference
from ops.rehearsing.values import NOWHERE

MOST_BATCHES, MOST_VALUES = 3, 5
# A text in an item may have hundreds of kilobytes.
LONGEST: Final = 200


class Rehearsed(NamedTuple):
    """A batch by its name, and what the release computes otherwise."""

    name: str
    kept: KeptBatch
    differences: Sequence[Difference]


class Verdict(NamedTuple):
    """The batches that were computed again: which of them differ by what nobody has announced, and what is announced.

    `announced`: of each change that some batch was kept before, how many of these batches differ in what it names.
    """

    batches: Sequence[Rehearsed]
    wrong: Sequence[Rehearsed]
    announced: Mapping[Announced, int]


def judge(batches: Sequence[Rehearsed], changes: Sequence[Announced]) -> Verdict:
    """Tell what is announced from what is not: by `changes`, those that came after a batch was kept excuse it."""
    wrong, announced = list[Rehearsed](), Counter[Announced]()
    for each in batches:
        since = changes[each.kept.counts :]
        types = {difference.place.type for difference in each.differences}
        announced.update({change: bool(change.types & types) for change in since})
        excused: Collection[str] = frozenset[str]().union(*(change.types for change in since))
        left = [difference for difference in each.differences if difference.place.type not in excused]
        wrong += [each._replace(differences=left)] if left else []
    return Verdict(batches, wrong, announced)


def told(verdict: Verdict) -> Iterator[str]:
    """The verdict in lines, the worst first."""
    for each in verdict.wrong[:MOST_BATCHES]:
        yield f"batch {each.name}: {_records(each.kept)}"
        for difference in each.differences[:MOST_VALUES]:
            yield from _difference(difference)
        if (more := len(each.differences) - MOST_VALUES) > 0:
            yield f"  and {more:,} values more"
    for change, differing in verdict.announced.items():
        types = ", ".join(sorted(change.types))
        yield f"announced: {change.why} ({types}): {differing:,} batches differ in that"
    whole = len(verdict.batches)
    if verdict.wrong:
        yield f"this release computes {len(verdict.wrong):,} of {whole:,} batches otherwise than the running one"
    elif whole:
        yield f"as before: this release computes {whole:,} batches as they are kept, but for what is announced"


# What a record in quarantine has of what people wrote, and an error that quotes it.
OF_PEOPLE = ("Text", "Lacks", "Record")


def _records(kept: KeptBatch) -> str:
    count = len(kept.event["Records"])
    return f"{count:,} records, kept under the announcement {kept.counts}"


def _difference(difference: Difference) -> Iterator[str]:
    place = difference.place
    at = "" if place.key == NOWHERE else f" PK={place.key.pk} SK={place.key.sk}"
    yield f"  {place.type}{at} {place.where}".rstrip()
    for told, value in (("expected", difference.expected), ("computed", difference.computed)):
        yield f"    {told} {_hidden(value) if place.where.partition('.')[0] in OF_PEOPLE else value[:LONGEST]}"


def _hidden(value: str) -> str:
    """What tells two values apart, and nothing that somebody wrote: this stands in the log of a pipeline."""
    return f"{len(value)} characters with the digest {sha256(value.encode()).hexdigest()[:12]}"
