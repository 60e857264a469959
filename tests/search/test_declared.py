"""What docs/search.md says of making something searchable: a line makes it found, by who may read it."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from edgewise import ItemType
from functions.replay.memory import MemoryTable
from functions.search import analysis
from functions.search.embedded import Embedded
from functions.search.engine import Address
from functions.search.query import Search, clauses
from functions.search.reading import things
from functions.search.watched import Watched
from functions.searchable import Contents, Searchable, searchable
from functions.system import Rights, System

PAGE = (Path(__file__).parents[2] / "docs" / "search.md").read_text()
(LINE,) = re.findall(r"^    searchable=(.*),$", PAGE, re.MULTILINE)


@dataclass(frozen=True)
class Bookmark:
    owner: str
    id: str
    title: str


BOOKMARK = ItemType(Bookmark, "BOOKMARK", partition="BOOKMARKS#{owner}", sort="BOOKMARK#{id}")


def words_of(bookmark: Bookmark) -> Contents:
    about, own = {"owner": bookmark.owner}, frozenset({bookmark.owner})
    return Contents((bookmark.owner, bookmark.id), bookmark.title, attributes=about, readers=own)


@pytest.fixture
def declared() -> tuple[Searchable, ...]:
    found = eval(LINE, {"searchable": searchable, "BOOKMARK": BOOKMARK, "words_of": words_of})
    return System(name="bookmarks", rights=Rights(), items=(BOOKMARK,), searchable=found).searchable


@pytest.fixture
def index(tmp_path: Path) -> Embedded:
    return Embedded(tmp_path)


def test_the_line_of_the_page_is_enough(declared: tuple[Searchable, ...], index: Embedded) -> None:
    table, watched = MemoryTable(), Watched(declared)
    item = BOOKMARK.encode(Bookmark("amy", "1", "Zeppelins of the world"))
    table.put_many([item])
    hints = watched.hints([{"dynamodb": {"NewImage": item}}])
    assert hints == [Address("bookmark", BOOKMARK.key("amy", "1"))]
    index.write({each.address: each.contents for each in things(table, watched, hints)})
    for sub, expected in (("amy", hints), ("eve", [])):
        found = index.search(Search(sub=sub, clauses=clauses("zepelin", analysis.words), attributes={"owner": "amy"}))
        assert list(found.addresses) == expected
    assert watched.kinds["bookmark"].attributes == ("owner",)
