"""What every engine answers: the embedded one in a folder, one in a bucket that another copies, and OpenSearch.

OpenSearch is stood in for (fake_opensearch.py): no test here has ever met a real one.
"""

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest
from moto import mock_aws
from tantivy import Document

from edgewise import Key, clock
from functions.bucket import Bucket, client
from functions.search import analysis, embedded
from functions.search.embedded import Embedded
from functions.search.engine import Address, Changes, Engine, Found, digest
from functions.search.opensearch import OpenSearch
from functions.search.query import Search, clauses
from functions.search.set_aside import UnindexableError
from functions.search.snapshots import Snapshots
from functions.searchable import Contents
from tests.search.fake_opensearch import FakeOpenSearch


class Written(Engine, Protocol):
    """An engine, and what writes to it."""

    def write(self, changes: Changes) -> Collection[Address]:
        """Replace what is known of these things; returns those that are refused."""


class Elsewhere(OpenSearch):
    """OpenSearch, written to as the indexer writes."""

    def write(self, changes: Changes) -> Collection[Address]:
        self.building()
        return self.apply(changes, None, None, clock.now())


class Copied:
    """Two machines: one writes to a bucket, the other searches what it has copied."""

    def __init__(self, folder: Path) -> None:
        client().create_bucket(Bucket="index")
        self._writer, self._reader = (
            Snapshots(Bucket("index"), folder / name, writes=name == "writer") for name in ("writer", "reader")
        )

    def write(self, changes: Changes) -> Collection[Address]:
        self._writer.building()
        return self._writer.apply(changes, None, None, clock.now())

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


@pytest.mark.parametrize("order", ["time", "relevance"])
def test_what_was_withdrawn_is_on_no_page_and_in_no_number(engine: Written, order: Any) -> None:
    told = {n: at(("a", "b")[n % 2], str(n)) for n in range(25)}
    engine.write({told[n]: Contents((str(n),), "same", "", n, {"room": str(n % 3)}) for n in told})
    withdrawn = {0, 3, 4, 24}
    without = [told[n].text() for n in withdrawn] + [at("a", "never there").text()]
    seen = list[str]()
    for offset in (0, 10, 20, 30):
        asked = clauses("same", analysis.words)
        answer = engine.search(
            Search(sub="amy", clauses=asked, without=without, facets=["room"], order=order, offset=offset, limit=10)
        )
        left = told.keys() - withdrawn
        assert (answer.total, answer.kinds) == (21, {"a": 10, "b": 11})
        assert answer.attributes["room"] == {str(room): sum(n % 3 == room for n in left) for room in range(3)}
        seen += names(answer.addresses)
    assert sorted(map(int, seen)) == sorted(told.keys() - withdrawn)


def test_kinds_add_up_to_all_that_is_found_however_many_they_are(engine: Written) -> None:
    engine.write({at(f"kind{n}", "x"): Contents((str(n),), "same", "", None, {"room": str(n)}) for n in range(30)})
    answer = engine.search(Search(sub="amy", clauses=clauses("same", analysis.words), facets=["room"]))
    assert (answer.total, len(answer.kinds), len(answer.attributes["room"])) == (30, 30, 10)


# What a person may call a room, and an engine may take for something else.
DATES = "2026-01-01T10:00:00Z 2026-01-01 9999-12-31T23:59:59-01:00 0000-01-01T00:00:00+01:00 1600-01-01T00:00:00Z"
OTHERS = "5 -0 1e999 18446744073709551616 true null = =5 == a.b a\\.b * [] {} 10.0.0.1 /a/b \x01 \x00 🎈"
ROOMS = [*DATES.split(), *OTHERS.split(" "), " ", '{"a": 1}']


def test_text_stays_text_whatever_it_looks_like(engine: Written) -> None:
    told = [Contents((room,), room, "same", None, {"room": room}) for room in ROOMS]
    assert not engine.write({at("message", str(n)): each for n, each in enumerate(told)})
    same = clauses("same", analysis.words)
    for n, room in enumerate(ROOMS):
        answer = engine.search(Search(sub="amy", clauses=same, attributes={"room": room}, facets=["room"]))
        assert (names(answer.addresses), answer.attributes) == ([str(n)], {"room": {room: 1}}), room


@pytest.mark.parametrize("word", ["stop⑴⑵", "İzmir", "⑽" * 33, "ﷺ", "①②③", "ǆ", "ß"])
def test_nobodys_words_break_the_searches_of_others(filled: Written, word: str) -> None:
    """Taken apart again, a word without its accents may be several words, or none."""
    filled.write({at("message", "odd"): Contents(("o",), "", f"quick {word}")})
    assert set(found(filled, "quick ")) == {"fox", "odd"}
    for asked in (f"{word} ", word, f"{word}* ", f'"quick {word}" '):
        assert found(filled, asked) == ["odd"], asked


def _without_a_schema(*_: Any) -> Document:
    """tantivy's own thread fails at it."""
    return Document.from_dict({"address": "x", "at": "no instant"})


def _not_of_the_schema(*_: Any) -> Document:
    return Document.from_dict({"at": 10**30}, embedded.schema())


def _panicking(*_: Any) -> Document:
    return Document.from_dict({"labels": {"room": "9999-12-31T23:59:59-01:00"}}, embedded.schema())


@pytest.fixture(params=[_without_a_schema, _not_of_the_schema, _panicking])
def refusing(request: Any, engine: Written, monkeypatch: pytest.MonkeyPatch) -> Written:
    """An engine that can't index what is called "bad": OpenSearch says so, tantivy fails in one of three ways."""
    of = embedded._document

    def made(address: Address, contents: Contents, schema: Any) -> Document:
        return request.param() if contents.title == "bad" else of(address, contents, schema)

    monkeypatch.setattr(embedded, "_document", made)
    monkeypatch.setattr(FakeOpenSearch, "refuses", staticmethod(lambda document: document["title"] == "bad"))
    return engine


def test_what_cannot_be_indexed_is_set_aside_and_everything_else_goes_on(refusing: Written) -> None:
    bad, fine = Contents(("b",), "bad", "same"), Contents(("f",), "fine", "same")
    known = at("a", "1")
    assert not refusing.write({known: fine})
    changes: dict[Address, Contents | None] = {at("a", str(n)): bad if n in (1, 5) else fine for n in range(8)}
    assert set(refusing.write(changes)) == {at("a", "1"), at("a", "5")}
    assert set(found(refusing, "same")) == {"0", "2", "3", "4", "6", "7"}, "of the first nothing earlier is left"
    assert not refusing.write({known: fine})
    assert "1" in found(refusing, "same")


def test_if_nothing_at_all_can_be_written_nothing_is_taken_for_bad(
    engine: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, for instance, or here a writer without memory: the next attempt may succeed."""

    def refuse(_: Any, lines: list[Any]) -> list[Any]:
        return [{"index": {"_id": line["index"]["_id"], "status": 400}} for line in lines if "index" in line] or [
            {"delete": {"_id": "x", "status": 400}}
        ]

    engine.write({at("a", "0"): FOX})
    with monkeypatch.context() as broken:
        broken.setattr(embedded, "_HEAP", 1)
        broken.setattr(FakeOpenSearch, "_bulk", refuse)
        with pytest.raises(UnindexableError):
            engine.write({at("a", str(n)): DEVICE for n in range(4)})
    assert not engine.write({at("a", str(n)): DEVICE for n in range(4)})
    assert len(found(engine, "dev")) == 4


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
