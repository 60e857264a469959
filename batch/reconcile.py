"""Reconciles an export in one process: every aggregate of it is counted anew and compared with what it stores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from batch import comparing, counting
from batch.comparing import Difference
from batch.exports import Export
from functions.aggregates.catalog import Catalog
from functions.dynamodb.keys import Key


@dataclass(frozen=True)
class Check:
    """What a run found: the instant that the export shows, how much was compared, and what differs.

    `unreadable` are the sources that could not be understood, each with the reason.
    """

    instant: str
    items: int
    sources: int
    aggregates: int
    differences: Sequence[Difference]
    unreadable: dict[Key, str]

    @property
    def good(self) -> bool:
        """Whether every aggregate is as its sources say."""
        return not self.differences and not self.unreadable


def reconciled(catalog: Catalog, export: Export, tell: Callable[[str], None]) -> Check:
    """Compare every aggregate of an export with its sources; raises TornExportError. `tell` is told of the progress."""
    items = list(export.items())
    tell(f"read {len(items):,} items of {export.instant}")
    sources = counting.from_sources(catalog, items)
    tell(f"counted {len(sources.cells):,} aggregates from their sources")
    below, stored = counting.from_stored(catalog, items), comparing.stored(items)
    tell(f"counted {len(below.cells):,} aggregates from what is stored below them")
    found = list(comparing.differences(stored, sources, below))
    aggregates = len({*sources.cells, *below.cells})
    return Check(export.instant, len(items), len(items) - len(stored.items), aggregates, found, sources.unreadable)
