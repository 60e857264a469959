"""What the pages on changes say is done to a copy of the project.

By docs/adding-a-number.md a room knows the mean length of its messages; by docs/changing-declarations.md, also of those
that were stored before.
"""

import contextlib
import io
from random import Random

from tests.batch.histories import happen, world
from tests.docs.carrying_out import Copy, Page

NUMBER, CHANGE = Page("adding-a-number.md"), Page("changing-declarations.md")
TESTS = (
    *NUMBER.new,
    *(name for name, _ in NUMBER.diffs if name.startswith("tests/") and "/test_" in name),
    "tests/aggregates/test_subsets.py",
    "tests/docs/test_openapi.py",
    "tests/docs/test_generated.py",
)


def stored_before() -> str:
    """A module with the items of a table after some history under the present declarations."""
    random = Random(3)
    with contextlib.redirect_stdout(io.StringIO()), world(random) as each:
        happen(random, each, 60)
        each.settle()
        items = each.table.all_items()
    return f"from edgewise.dynamodb.attributes import Item\n\nITEMS: list[Item] = {items!r}\n"


def test_who_follows_the_pages_has_a_new_number_and_then_that_of_all_that_was_stored(copy: Copy) -> None:
    copy.follow(NUMBER)
    copy.test(*TESTS, "-k", "not (test_generated or contract) or room or messages or up_to_date or every")
    (copy.folder / "tests" / "batch" / "stored_before.py").write_text(stored_before())
    copy.follow(CHANGE)
    copy.test(*CHANGE.new)


def test_a_number_takes_one_new_file_and_few_lines() -> None:
    assert len(NUMBER.new) == 1
    assert NUMBER.block_lines <= 90


def test_the_page_is_one_page_of_prose() -> None:
    assert NUMBER.words < 300
