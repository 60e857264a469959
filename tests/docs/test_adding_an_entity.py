"""What docs/adding-an-entity.md says is done to a copy of the project: it is all that a new entity takes."""

from pathlib import PurePath

from tests.docs.carrying_out import Copy, Page

PAGE = Page("adding-an-entity.md")
# What must hold of all systems, or of every kind of aggregate.
COMPLETE = (
    "tests/systems/bookmarks/test_counting.py",
    "tests/systems/test_keys_apart.py",
    "tests/docs/test_generated.py",
    "tests/docs/test_openapi.py",
    "tests/docs/test_the_table.py",
    "tests/aggregates/test_subsets.py",
    "tests/aggregates/test_declarations.py",
    "tests/web/test_openapi.py",
)
# The same where all systems would take too long: those tests whose names have to do with bookmarks or with all routes.
PARTLY = (
    "tests/infra/test_http.py",
    "tests/infra/test_rights.py",
    "tests/infra/test_own_partitions.py",
    "tests/infra/test_rights_suffice.py",
    "tests/web/test_queries.py",
    "tests/infra/test_starts.py",
)
CONCERNED = (
    "bookmarks-dev or (bookmarks and emulator) or one_writes or documented_request or shelves or routes_are"
    " or listed or (imports and (bookmarks or readers))"
)


def test_who_follows_the_page_has_a_new_entity(copy: Copy) -> None:
    copy.follow(PAGE)
    whole = " or ".join(PurePath(name).name for name in COMPLETE)
    copy.test(*COMPLETE, *PARTLY, "-k", f"{CONCERNED} or {whole}")


def test_an_entity_takes_few_files_and_hardly_an_edit() -> None:
    assert len(PAGE.new) <= 5
    assert PAGE.edited_lines <= 2
    assert PAGE.block_lines <= 145


def test_the_page_is_one_page_of_prose() -> None:
    assert PAGE.words < 250
