"""Prints the comparison: some lines of each kind, every difference, and totals."""

from rich.console import Console
from rich.table import Table

from demo.others import Sources
from demo.tour import Stop
from ops.recounting.compare import Comparison, Line, first_field
from ops.recounting.facts import Fields

SHOWN_DIFFERENCES = 20
LONG = 24


def show(console: Console, comparisons: list[Comparison]) -> None:
    """Print the comparison of every kind, line by line and in total."""
    lines = _table("some aggregates", "", "through the API", "recounted", "")
    for comparison in comparisons:
        for line in _some(comparison.lines):
            lines.add_row(*_row(comparison.kind, line))
    console.print(lines)
    totals = _table("all aggregates", "number", "sum of", "through the API", "recounted", "")
    for comparison in comparisons:
        totals.add_row(*_total(comparison))
    console.print(totals)
    for comparison in comparisons:
        for line in comparison.different[:SHOWN_DIFFERENCES]:
            console.print(f"{comparison.kind}: {line.name.dimensions}: {line.verdict}", style="red", markup=False)
    console.print(_verdict(comparisons))


def show_others(console: Console, others: Sources, left_out: int) -> None:
    """Print what others wrote meanwhile, if anything."""
    if told := str(others):
        text = f"others wrote meanwhile: {told}; {left_out:,} aggregates that count it too are not compared"
        console.print(text, markup=False, highlight=False, soft_wrap=True)


def show_tour(console: Console, stops: list[Stop]) -> None:
    """Print each system's question, answer and cost."""
    lines = _table("the tour", "asked", "came back", "requests", "read units")
    for stop in stops:
        answer = stop.answer
        lines.add_row(stop.system, f"GET {answer.asked}", stop.told, answer.requests, answer.read_units)
    console.print(lines)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, title_justify="left")
    for name in columns:
        table.add_column(name)
    return table


def _some(lines: list[Line]) -> list[Line]:
    """The line with the highest count and one from the middle, if there are two."""
    greatest = max(range(len(lines)), key=lambda index: first_field(lines[index].expected), default=0)
    return [lines[index] for index in dict.fromkeys([greatest, len(lines) // 2]) if lines]


def _row(kind: str, line: Line) -> tuple[str, ...]:
    about = " ".join(map(_short, line.name.dimensions.split()))
    return kind, about, _text(line.found), _text(line.expected), line.verdict


def _total(comparison: Comparison) -> tuple[str, ...]:
    different = len(comparison.different)
    return (
        comparison.kind,
        f"{len(comparison.lines):,}",
        comparison.totaled,
        f"{comparison.total_found:,}",
        f"{comparison.total_expected:,}",
        f"{different:,} differ" if different else "exact",
    )


def _verdict(comparisons: list[Comparison]) -> str:
    everything = sum(len(comparison.lines) for comparison in comparisons)
    different = sum(len(comparison.different) for comparison in comparisons)
    if different:
        return f"[bold red]{different:,} of {everything:,} aggregates differ from the recount"
    return f"[bold green]exact: all {everything:,} aggregates equal the recount from the input files"


def _text(fields: Fields | None) -> str:
    return "-" if fields is None else ", ".join(f"{name} {_plain(value)}" for name, value in fields.items())


def _plain(value: object) -> str:
    return str(value).removesuffix(".000Z")


def _short(component: str) -> str:
    return component if len(component) <= LONG else f"{component[:8]}…"
