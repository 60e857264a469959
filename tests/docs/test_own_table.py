"""What the page on tables of one's own shows is what the example has."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "own_table"
PAGE = (ROOT / "docs" / "own-table.md").read_text()
# Those with something on them.
LINES = sum(len(re.findall(r"^.*\S", path.read_text(), re.MULTILINE)) for path in EXAMPLE.glob("*.py"))


def test_its_code_is_that_of_the_example() -> None:
    ((path, code),) = re.findall(r"```python (\S+)\n(.*?)```", PAGE, re.DOTALL)
    assert code == (ROOT / path).read_text()


def test_the_example_is_as_long_as_it_says() -> None:
    assert f"the whole of it, {LINES} lines" in PAGE
    assert LINES <= 60


def test_it_shows_the_construct_as_the_example_uses_it() -> None:
    (shown,) = re.findall(r"^    (ExactAggregates\(.*\))$", PAGE, re.MULTILINE)
    assert shown in (EXAMPLE / "app.py").read_text()
