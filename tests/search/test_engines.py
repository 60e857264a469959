"""What every engine answers: the embedded one in a folder, one in a bucket that another copies, and OpenSearch.

OpenSearch is stood in for (fake_opensearch.py): no test here has ever met a real one.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest
from moto import mock_aws

from edgewise import Key, clock
from functions.bucket import Bucket, client
from functions.search import analysis
from functions.search.embedded import Embedded
from functions.search.engine import Address, Changes, Engine, Found, digest
from functions.search.opensearch import OpenSearch
from functions.search.query import Search, clauses
from functions.search.snapshots import Snapshots
from functions.searchable import Contents
from tests.search.fake_opensearch import FakeOpenSearch


class Written(Engine, Protocol):
    """An engine, and what writes to it."""

    def write(self, changes: Changes) -> None:
        """Replace what is known of these things."""


class Elsewhere(OpenSearch):
    """OpenSearch, written to as the indexer writes."""

    def write(self, changes: Changes) -> None:
        self.building()
        self.apply(changes, None, None, clock.now())


class Copied:
    """Two machines: one writes to a bucket, the other searches what it has copied."""

    def __init__(self, folder: Path) -> None:
        client().create_bucket(Bucket="index")
        self._writer, self._reader = (
            Snapshots(Bucket("index"), folder / name, writes=name == "writer") for name in ("writer", "reader")
        )

    def write(self, changes: Changes) -> None:
        self._writer.building()
        self._writer.apply(changes, None, None, clock.now())

    def search(self, wanted: Search) -> Found:
        self._reader.refresh()
        return self._reader.serving().search(wanted)

    def everything(self) -> Iterator[tuple[Address, str]]:
        self._reader.refresh()
        return self._reader.serving().everything()


@pytest.fixture(params=["folder", "bucket", "opensearch"])
def engine(request: Any, tmp_path: Path, aws_env: pytest.MonkeyPatch) -> Iterator[Written]:
    if request.param != "bucket":
        yield Embedded(tmp_path / "index") if request.param == "folder" else Elsewhere(FakeOpenSearch().send)
        return
    client.cache_clear()
    with mock_aws():
        yield Copied(tmp_path)
    client.cache_clear()


def at(kind: str, name: str) -> Address:
    return Address(kind, Key(f"{kind}#{name}", "x"))


def found(engine: Engine, text: str, sub: str = "amy", **narrowed: Any) -> list[str]:
    return names(engine.search(Search(sub=sub, clauses=clauses(text, analysis.words), **narrowed)).addresses)


def names(addresses: Sequence[Address]) -> list[str]:
    return [address.key.pk.partition("#")[2] for address in addresses]


FOX = Contents(("sea", "m1"), "", "The quick foxes jumped over café tables", 100, {"room": "sea", "user": "amy"})
HAUS = Contents(("d1",), "Häuser", "Die Straßen; las casas", 200, {"room": "land"})
DEVICE = Contents(("dev-17",), "dev-17")


@pytest.fixture
def filled(engine: Written) -> Written:
    engine.write({at("message", "fox"): FOX, at("document", "haus"): HAUS, at("device", "dev"): DEVICE})
    return engine


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foxes ", ["fox"]),
        ("fox ", ["fox"]),
        ("jumping ", ["fox"]),
        ("CAFE ", ["fox"]),
        ("café ", ["fox"]),
        ("tab", ["fox"]),
        ("tab ", []),
        ("tab* fox ", ["fox"]),
        ("quikc ", ["fox"]),
        ("quck ", ["fox"]),
        ("qiuck jumpedd ", ["fox"]),
        ("jumpling ", ["fox"]),
        ("jxmplings ", []),
        ('"quick foxes"', ["fox"]),
        ('"foxes quick"', []),
        ("quick casa ", []),
        ("hauser ", ["haus"]),
        ("haus ", ["haus"]),
        ("casa ", ["haus"]),
        ("strasse ", ["haus"]),
        ("dev-17", ["dev"]),
        ("dev-1", ["dev"]),
        ("dev-18 ", []),
        ("readers:amy ", []),
        ("nothing", []),
    ],
)
def test_words_stems_beginnings_phrases_and_wrong_letters(filled: Written, text: str, expected: list[str]) -> None:
    assert found(filled, text) == expected


def test_it_is_narrowed_by_kind_attribute_and_time(filled: Written) -> None:
    assert found(filled, "fox", kinds=["message", "device"]) == ["fox"]
    assert found(filled, "fox", kinds=["device"]) == []
    assert found(filled, "fox", attributes={"room": "sea", "user": "amy"}) == ["fox"]
    assert found(filled, "fox", attributes={"room": "SEA"}) == []
    assert found(filled, "fox", attributes={"room": "sea", "user": "bob"}) == []
    assert found(filled, "fox", start=100, end=101) == ["fox"]
    assert found(filled, "fox", start=101) == []
    assert found(filled, "fox", end=100) == []
    assert found(filled, "dev", start=0) == [], "what is from no time is in no range of it"


def test_only_readers_find_it_and_only_for_them_it_counts(engine: Written) -> None:
    by: dict[str, frozenset[str] | None] = {"all": None, "amys": frozenset({"amy", "bob"}), "nobodys": frozenset()}
    told = {name: Contents((name,), "zeppelin", "", None, {"room": "x"}, readers) for name, readers in by.items()}
    engine.write({at("document", name): contents for name, contents in told.items()})
    for sub, expected in (("amy", {"all", "amys"}), ("eve", {"all"}), ("", {"all"})):
        answer = engine.search(Search(sub=sub, clauses=clauses("zeppelin", analysis.words), facets=["room"]))
        assert set(names(answer.addresses)) == expected
        assert (answer.total, answer.kinds) == (len(expected), {"document": len(expected)})
        assert answer.attributes == {"room": {"x": len(expected)}}


def test_the_best_comes_first_or_the_newest(engine: Written) -> None:
    engine.write(
        {
            at("message", "wrong"): Contents(("1",), "", "zepelin", 300),
            at("message", "text"): Contents(("2",), "", "zeppelin", 200),
            at("message", "title"): Contents(("3",), "zeppelin", "", 100),
            at("message", "old"): Contents(("4",), "", "zeppelins and very many other words", None),
        }
    )
    assert found(engine, "zeppelin") == ["title", "text", "old", "wrong"]
    assert found(engine, "zeppelin", order="time") == ["wrong", "text", "title", "old"]


def test_pages_and_counts(engine: Written) -> None:
    engine.write({at(("a", "b")[n % 2], str(n)): Contents((str(n),), "same", "", n) for n in range(25)})
    pages = [found(engine, "same", order="time", offset=start, limit=10) for start in (0, 10, 20, 30)]
    assert [len(page) for page in pages] == [10, 10, 5, 0]
    assert [name for page in pages for name in page] == [str(n) for n in reversed(range(25))]
    answer = engine.search(Search(sub="amy", clauses=clauses("same", analysis.words), limit=1))
    assert (answer.total, answer.kinds) == (25, {"a": 13, "b": 12})


def test_kinds_add_up_to_all_that_is_found_however_many_they_are(engine: Written) -> None:
    engine.write({at(f"kind{n}", "x"): Contents((str(n),), "same", "", None, {"room": str(n)}) for n in range(30)})
    answer = engine.search(Search(sub="amy", clauses=clauses("same", analysis.words), facets=["room"]))
    assert (answer.total, len(answer.kinds), len(answer.attributes["room"])) == (30, 30, 10)


def test_what_changes_is_found_as_it_is_now_and_what_goes_not_at_all(filled: Written) -> None:
    fox = at("message", "fox")
    filled.write({fox: Contents(("m1",), "", "a hen", 100)})
    assert (found(filled, "fox "), found(filled, "hen ")) == ([], ["fox"])
    filled.write({fox: Contents(("m1",), "", "a hen", 100)})
    assert found(filled, "hen ") == ["fox"], "repeated, it is there once"
    filled.write({fox: None, at("message", "never"): None})
    assert found(filled, "hen ") == []
    assert found(filled, "haus ") == ["haus"]


def test_everything_in_it_is_known_with_its_digest(filled: Written) -> None:
    assert dict(filled.everything()) == {
        at("message", "fox"): digest(FOX),
        at("document", "haus"): digest(HAUS),
        at("device", "dev"): digest(DEVICE),
    }
    changed = (Contents(FOX.id, FOX.title, FOX.text, FOX.at, FOX.attributes, frozenset()), Contents(FOX.id))
    assert len({digest(each) for each in (FOX, *changed)}) == 3
