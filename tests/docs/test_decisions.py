"""docs/decisions/README.md lists each decision once, and which numbers a decision tells along."""

import re
from pathlib import Path

from docs import decision_list

FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
ROWS = re.findall(r"^- (\d+): \[(.+)\]\((.+?)\)(?: \((.+)\))?$", (FOLDER / "README.md").read_text(), re.MULTILINE)


def test_the_list_is_up_to_date() -> None:
    assert (FOLDER / "README.md").read_text() == decision_list.markdown(), "run `make docs`"


def test_every_number_has_a_page_or_is_told_along_or_was_never_given() -> None:
    listed = [int(number) for number, *_ in ROWS]
    along = [int(number) for *_, numbers in ROWS for number in numbers.split(", ") if number]
    assert sorted([*listed, *along, *decision_list.NEVER_GIVEN]) == list(range(1, max(listed) + 1))
    assert set(decision_list.PART_OF) <= set(listed)


def test_a_row_tells_what_its_page_says() -> None:
    (row,) = (row for row in ROWS if row[0] == "36")
    assert row == ("36", "A restored table is attached, not owned", "0036-restored-tables-are-attached.md", "")
