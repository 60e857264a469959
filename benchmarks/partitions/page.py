"""docs/hot-keys.md: its text is written by hand, and this module fills in its tables."""

import re
from collections.abc import Mapping

from benchmarks.report import Table, markdown
from local.paths import ROOT

PAGE = ROOT / "docs" / "hot-keys.md"
_PLACES = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text: str, tables: Mapping[str, Table]) -> str:
    """The page with every table as simulated now; raises KeyError for an unknown table."""
    return _PLACES.sub(lambda place: f"{place[1]}{markdown(tables[place[2]])}\n{place[3]}", text)


def write(tables: Mapping[str, Table]) -> None:
    """Bring the page up to date."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), tables), encoding="utf-8")
