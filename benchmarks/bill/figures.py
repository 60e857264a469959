"""The measured figures of docs/benchmarks.md, read from the tables that `make bench` wrote."""

import re
from collections.abc import Mapping

Rows = Mapping[str, Mapping[str, float]]


class MissingFigureError(Exception):
    """The page has no such table."""


def rows(page: str, title: str) -> Rows:
    """The numbers of the table below this heading, by the row's and the column's name.

    A heading may go on after `title`. Cells that hold no plain number are left out. Raises MissingFigureError.
    """
    return {
        next(iter(line.values())): {name: value for name, cell in line.items() if (value := _number(cell)) is not None}
        for line in lines(page, title)
    }


def billed(row: Mapping[str, float]) -> float:
    """The write units of a row, with those of refused writes, which are billed like others."""
    return row["write units"] + row["refused"]


def lines(page: str, title: str) -> list[Mapping[str, str]]:
    """The texts of the same table, line by line, by the column's name."""
    found = re.search(rf"^## {re.escape(title)}.*?\n\n((?:\|.*\n)+)", page, re.MULTILINE)
    if not found:
        raise MissingFigureError(f"docs/benchmarks.md has no table `{title}`: run make bench")
    head, _, *rest = ([cell.strip() for cell in line.split("|")[1:-1]] for line in found[1].splitlines())
    return [dict(zip(head, cells, strict=True)) for cells in rest]


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", ""))
    except ValueError:
        return None
