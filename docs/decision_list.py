"""docs/decisions/README.md: the list of all decisions, made from their own first lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("decisions")
PAGE = FOLDER / "README.md"
# Numbers without a page: what was decided, and which decision replaced it.
SUPERSEDED = {
    7: ("One module per system in every layer", 25),
    13: ("Partial aggregates for what many shards feed", 47),
    55: ("Mechanisms are parts of a kind", 78),
}
# Numbers that no decision ever had.
NEVER_GIVEN = (19, 22, 23)
HEAD = """# Decisions

Each page says why something is built as it is: what made a decision necessary, what was decided, what was rejected, and
what it costs. Guides say how things are used; no page here is needed for that. A page is changed when its decision is.

"In force" is what the code does today. A decision that later ones changed names them. Of a superseded one only the line
here is left; its page is in the repository's history. No decision was ever recorded under {left_out}.

| | decision | in short | status |
| --: | :-- | :-- | :-- |
"""


@dataclass(frozen=True)
class Decision:
    """A page: its number, title and status, and the first sentence of what was decided; "" for what it does not say."""

    number: int
    title: str
    status: str
    short: str
    page: str


def decisions() -> list[Decision]:
    """All pages, by number; raises ValueError for one that lacks its title or its date."""
    return [_read(path) for path in sorted(FOLDER.glob("[0-9]*.md"))]


def markdown() -> str:
    """The list."""
    rows = {decision.number: _row(decision) for decision in decisions()} | dict(_superseded())
    left_out = f"{', '.join(map(str, NEVER_GIVEN[:-1]))} or {NEVER_GIVEN[-1]}"
    return HEAD.format(left_out=left_out) + "".join(f"{row}\n" for _, row in sorted(rows.items()))


def _read(path: Path) -> Decision:
    text = path.read_text()
    title = re.match(r"# (\d+)\. (.+)\n", text)
    # What follows the date is the status.
    status = re.search(r"^\*\*Decided\*\* \w+ \d{4}\.(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    short = re.search(r"^\*\*Decision\.\*\* (.+?)(?:\.(?=\s)|\n\n)", text, re.MULTILINE | re.DOTALL)
    if not (title and status):
        raise ValueError(f"{path.name} does not begin with a number, a title and a date")
    number, name = title.groups()
    return Decision(int(number), name, _line(status[1]), f"{_line(short[1]).rstrip(':')}." if short else "", path.name)


def _line(text: str) -> str:
    return " ".join(text.split())


def _row(decision: Decision) -> str:
    name = f"[{decision.title}]({decision.page})"
    return f"| {decision.number} | {name} | {decision.short} | {' '.join(('In force.', decision.status)).strip()} |"


def _superseded() -> Iterator[tuple[int, str]]:
    pages = {decision.number: decision.page for decision in decisions()}
    for number, (title, successor) in SUPERSEDED.items():
        yield number, f"| {number} | {title} |  | Superseded by [decision {successor}]({pages[successor]}). |"
