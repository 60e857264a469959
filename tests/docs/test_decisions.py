"""docs/decisions/README.md lists each decision, and says of each number without one why there is none."""

import re
from pathlib import Path

from docs import decision_list

FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.*?) \| (.+) \|$", (FOLDER / "README.md").read_text(), re.MULTILINE)


def test_the_list_is_up_to_date() -> None:
    assert (FOLDER / "README.md").read_text() == decision_list.markdown(), "run `make docs`"


def test_every_number_has_a_page_or_a_successor_or_is_told_to_be_left_out() -> None:
    listed = {int(number) for number, *_ in ROWS}
    assert len(ROWS) == len(listed)
    assert {int(path.name[:4]) for path in FOLDER.glob("0*.md")} <= listed
    assert sorted(listed | set(decision_list.NEVER_GIVEN)) == list(range(1, max(listed) + 1))


def test_a_row_tells_what_its_page_says() -> None:
    (row,) = (row for row in ROWS if row[0] == "36")
    assert row[1] == "[A restored table is attached, not owned](0036-restored-tables-are-attached.md)"
    assert row[2].startswith("One line of the stage's file, `restored`, holds the ARN of the restored table's stream")
    assert row[3] == "In force."
