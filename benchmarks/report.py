"""The figures as tables: on the terminal while a benchmark runs, and in a document afterwards."""

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from ops.paths import ROOT

DOCUMENT = ROOT / "docs" / "benchmarks.md"
_PLACES = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_CPU_INFO = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Table:
    """Rows of text; the first column is left-aligned, the others right-aligned. `notes` say how to read the table.

    `failed`: it shows something that must not happen.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    failed: bool = False


def show(console: Console, table: Table) -> None:
    """Print a table."""
    rich = RichTable(title=table.title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, name in enumerate(table.columns):
        rich.add_column(name, justify="right" if number else "left")
    for row in table.rows:
        rich.add_row(*row)
    console.print(rich)
    for note in table.notes:
        console.print(f"- {note}", markup=False, highlight=False)


def write(document: Path, head: Sequence[str], tables: Sequence[Table]) -> None:
    """Write tables to a document, behind some paragraphs."""
    document.write_text("\n\n".join([*head, *map(_markdown, tables)]) + "\n", encoding="utf-8")


def made() -> str:
    """When and where a document is made: the day, the processor, the number of cores, and the interpreter."""
    cores = [line for line in _cpu_info().splitlines() if line.startswith("model name")]
    name = cores[0].partition(":")[2].strip() if cores else platform.machine()
    where = f"{len(cores) or '?'} cores of {name}, Python {platform.python_version()}"
    return f"on {datetime.now(UTC):%d %B %Y}, on {where}"


def markdown(table: Table) -> str:
    """The rows alone, as a table in Markdown."""
    aligned = [":--", *["--:"] * (len(table.columns) - 1)]
    return "\n".join(map(_line, (table.columns, aligned, *table.rows)))


def filled(text: str, tables: Mapping[str, Table]) -> str:
    """A page with these tables in their places, `<!-- table NAME -->`; raises KeyError for an unknown table."""
    return _PLACES.sub(lambda place: f"{place[1]}{markdown(tables[place[2]])}\n{place[3]}", text)


def per(total: float, records: int, digits: int = 3) -> str:
    """A total divided by the records."""
    return f"{total / records:.{digits}f}"


def _cpu_info() -> str:
    return _CPU_INFO.read_text() if _CPU_INFO.exists() else ""


def _markdown(table: Table) -> str:
    lines = [f"## {table.title}", "", markdown(table), "", *(f"- {note}" for note in table.notes)]
    return "\n".join(lines).rstrip()


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
