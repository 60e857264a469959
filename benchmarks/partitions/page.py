"""docs/hot-keys.md: its text is written by hand, and this module fills in its tables."""

from collections.abc import Mapping

from benchmarks.report import Table, filled
from ops.paths import ROOT

PAGE = ROOT / "docs" / "hot-keys.md"


def write(tables: Mapping[str, Table]) -> None:
    """Bring the page up to date."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")
