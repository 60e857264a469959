"""docs/decisions/README.md: the list of all decisions, made from their own titles."""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("decisions")
PAGE = FOLDER / "README.md"
# Numbers without a page of their own, by the decision that replaced them or tells them along.
PART_OF = {
    1: (15,),
    21: (11,),
    24: (63,),
    25: (7, 53),
    28: (17,),
    29: (48, 50),
    32: (6, 12),
    33: (52,),
    34: (70,),
    35: (10,),
    37: (46,),
    39: (76,),
    42: (41,),
    47: (13, 14),
    54: (56,),
    58: (16,),
    60: (61, 62),
    64: (65,),
    68: (5, 67),
    69: (38,),
    71: (72,),
    78: (55,),
}
# Numbers that no decision ever had.
NEVER_GIVEN = (19, 22, 23, 84)
HEAD = """# Decisions

Why something is built as it is, where reasonable people could differ: context, decision, price, rejected ways. A page
changes with the code; replaced ones are in the repository's history. Numbers in brackets were merged into the page.

"""


class Decision(NamedTuple):
    """A page: its number, title and file."""

    number: int
    title: str
    page: str


def decisions() -> list[Decision]:
    """All pages, by number; raises ValueError for one that does not begin with its number and title."""
    return [_read(path) for path in sorted(FOLDER.glob("[0-9]*.md"))]


def markdown() -> str:
    """The list."""
    return HEAD + "".join(map(_row, decisions()))


def _read(path: Path) -> Decision:
    title = re.match(r"# (\d+)\. (.+)\n", path.read_text())
    if not title:
        raise ValueError(f"{path.name} does not begin with a number and a title")
    return Decision(int(title[1]), title[2], path.name)


def _row(decision: Decision) -> str:
    along = ", ".join(map(str, PART_OF.get(decision.number, ())))
    return f"- {decision.number}: [{decision.title}]({decision.page}){f' ({along})' if along else ''}\n"
