"""What docs/adding-a-number.md says is done to a copy of the project: a room knows the mean length of its messages."""

from tests.docs.carrying_out import Copy, Page

PAGE = Page("adding-a-number.md")
TESTS = (
    *PAGE.new,
    *(name for name, _ in PAGE.diffs if name.startswith("tests/") and "/test_" in name),
    "tests/aggregates/test_subsets.py",
    "tests/docs/test_openapi.py",
    "tests/docs/test_generated.py",
)


def test_who_follows_the_page_has_a_new_number(copy: Copy) -> None:
    copy.follow(PAGE)
    copy.test(*TESTS, "-k", "not (test_generated or contract) or room or messages or up_to_date or every")


def test_a_number_takes_one_new_file_and_few_lines() -> None:
    assert len(PAGE.new) == 1
    assert PAGE.block_lines <= 90


def test_the_page_is_one_page_of_prose() -> None:
    assert PAGE.words < 300
