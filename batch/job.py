"""The job of a run that reconciles: reads exports, writes results, and knows nothing of any table."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from batch import exports, results
from batch.exports import Export
from batch.reconcile import Around, Check, Declared, Files, Tell, reconciled
from edgewise.times import from_rfc_3339


class Bucket(Protocol):
    """Where the exports are, and the results go."""

    def read(self, path: str) -> bytes:
        """A file; raises FileNotFoundError."""

    def write(self, path: str, content: bytes) -> None:
        """Write a file."""

    def files(self, export: Export) -> Files:
        """The data files of an export."""


@dataclass(frozen=True)
class Job:
    """What to read and where to write: the prefixes of the manifests of the exports, and of the results.

    Without an `increment`, the table must have rested before and after the full export. `previous`: the prefix of the
    results of the run before.
    """

    run: str
    full: str
    increment: str | None
    out: str
    previous: str = ""


def run(bucket: Bucket, job: Job, tell: Tell, declared: Declared) -> tuple[Check, Mapping[str, Any]]:
    """Reconcile, and write the results; raises TornExportError before it writes anything."""
    started, seconds = time.monotonic, time.monotonic()
    full = exports.opened(bucket.read, job.full)
    increment = exports.opened(bucket.read, job.increment) if job.increment else None
    tell(f"reading {full.items:,} items of {full.instant}" + (f", {increment.items:,} changes" if increment else ""))
    around = _around(bucket, full, increment) if increment else None
    check = reconciled(declared, bucket.files(full), around, tell)
    told = {"run": job.run, "instant": full.instant, "items": full.items, "seconds": round(started() - seconds, 1)}
    before = results.unsettled_times(bucket.read, job.previous) if job.previous else {}
    return check, results.write(bucket.write, job.out, declared, check, before, told)


def _around(bucket: Bucket, full: Export, increment: Export) -> Around:
    """The changes from as long before the instant of the export as they go on after it: none should take longer."""
    at, (_, end) = from_rfc_3339(full.instant), map(from_rfc_3339, increment.instants)
    return Around(bucket.files(increment), at - (end - at), at)
