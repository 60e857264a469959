"""What docs/changing-declarations.md says is done to a copy of the project, on a table that the old release filled."""

import contextlib
import io
from random import Random

from tests.batch.histories import happen, world
from tests.docs.carrying_out import Copy, Page

NUMBER, PAGE = Page("adding-a-number.md"), Page("changing-declarations.md")


def stored_before() -> str:
    """A module with the items of a table after some history under the present declarations."""
    random = Random(3)
    with contextlib.redirect_stdout(io.StringIO()), world(random) as each:
        happen(random, each, 60)
        each.settle()
        items = each.table.all_items()
    return f"from functions.dynamodb.attributes import Item\n\nITEMS: list[Item] = {items!r}\n"


def test_who_follows_the_page_has_a_number_of_all_that_was_stored(copy: Copy) -> None:
    copy.follow(NUMBER)
    (copy.folder / "tests" / "batch" / "stored_before.py").write_text(stored_before())
    copy.follow(PAGE)
    copy.test(*PAGE.new)
