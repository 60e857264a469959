"""An index in a bucket: one writer, generations, packs that end, and what happens when something fails in between."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from edgewise import Key, Millis
from edgewise.times import SECOND
from functions.bucket import Bucket, ChangedError, client
from functions.search import analysis
from functions.search.engine import Address
from functions.search.manifest import MANIFEST, PACKS, Generation, Manifest, Piece
from functions.search.query import Search, clauses
from functions.search.snapshots import Snapshots
from functions.searchable import Contents

BUCKET = "index"
NOON = 1535544000000
LATER = NOON + 301 * SECOND


@pytest.fixture(autouse=True)
def bucket(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    client.cache_clear()
    with mock_aws():
        client().create_bucket(Bucket=BUCKET)
        yield
    client.cache_clear()


@pytest.fixture
def writer(tmp_path: Path) -> Snapshots:
    return Snapshots(Bucket(BUCKET), tmp_path / "writer", writes=True)


@pytest.fixture
def reader(tmp_path: Path) -> Snapshots:
    return Snapshots(Bucket(BUCKET), tmp_path / "reader", writes=False)


def note(name: str) -> Address:
    return Address("note", Key(name, "x"))


def write(
    to: Snapshots, text: str | None = None, begins: str | None = None, ends: str | None = None, at: Millis = NOON
) -> None:
    to.building()
    to.apply({note(text): Contents((text,), text)} if text else {}, begins, ends, at)


def found(by: Snapshots, text: str) -> int:
    by.refresh()
    return by.serving().search(Search(sub="amy", clauses=clauses(text, analysis.words))).total


def keys() -> set[str]:
    return {each["Key"] for each in client().list_objects_v2(Bucket=BUCKET).get("Contents", ())}


def test_where_nothing_was_written_nothing_is_found(reader: Snapshots) -> None:
    assert found(reader, "fox") == 0


def test_a_manifest_survives_its_text() -> None:
    manifest = Manifest("a", "b", {"a": Generation({"f": Piece("p", 1, 2)}, "meta"), "b": Generation()}, {"q": 5})
    assert Manifest.of(manifest.text()) == manifest


def test_a_writer_that_begins_anew_goes_on_from_the_bucket(
    writer: Snapshots, reader: Snapshots, tmp_path: Path
) -> None:
    write(writer, "fox")
    other = Snapshots(Bucket(BUCKET), tmp_path / "other", writes=True)
    write(other, "hen")
    assert (found(reader, "fox"), found(reader, "hen")) == (1, 1)


def test_of_two_writers_one_is_refused_and_loses_nothing(writer: Snapshots, reader: Snapshots, tmp_path: Path) -> None:
    other = Snapshots(Bucket(BUCKET), tmp_path / "other", writes=True)
    write(writer, "fox")
    writer.building()
    write(other, "hen")
    with pytest.raises(ChangedError):
        writer.apply({note("owl"): Contents(("owl",), "owl")}, None, None, NOON)
    assert found(reader, "owl") == 0
    write(writer, "owl")
    assert [found(reader, each) for each in ("fox", "hen", "owl")] == [1, 1, 1]


def test_of_two_first_writers_too(writer: Snapshots, reader: Snapshots, tmp_path: Path) -> None:
    other = Snapshots(Bucket(BUCKET), tmp_path / "other", writes=True)
    other.building()
    write(writer, "fox")
    with pytest.raises(ChangedError):
        other.apply({note("hen"): Contents(("hen",), "hen")}, None, None, NOON)
    write(other, "hen")
    assert (found(reader, "fox"), found(reader, "hen")) == (1, 1)


@pytest.mark.parametrize("failing", [PACKS, MANIFEST])
def test_a_write_that_fails_is_made_whole_when_it_is_repeated(
    failing: str, writer: Snapshots, reader: Snapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(writer, "fox")
    put = client().put_object

    def fail(**request: Any) -> Any:
        if request["Key"].startswith(failing):
            raise ClientError({"Error": {"Code": "SlowDown"}}, "PutObject")
        return put(**request)

    monkeypatch.setattr(client(), "put_object", fail)
    with pytest.raises(ClientError):
        write(writer, "hen")
    assert (found(reader, "fox"), found(reader, "hen")) == (1, 0)
    monkeypatch.setattr(client(), "put_object", put)
    write(writer, "hen")
    assert (found(reader, "fox"), found(reader, "hen")) == (1, 1)


def test_a_generation_is_filled_beside_the_one_that_answers_and_then_replaces_it(
    writer: Snapshots, reader: Snapshots
) -> None:
    write(writer, "fox")
    write(writer, begins="second")
    write(writer, "hen")
    assert writer.building() == "second"
    assert (found(reader, "fox"), found(reader, "hen")) == (1, 1)
    write(writer, "owl", ends="second")
    assert writer.building() is None
    assert [found(reader, each) for each in ("fox", "hen", "owl")] == [0, 1, 1]


def test_a_second_rebuild_takes_the_place_of_one_that_is_not_finished(writer: Snapshots, reader: Snapshots) -> None:
    write(writer, "fox")
    write(writer, "hen", begins="second")
    write(writer, "owl", begins="third")
    write(writer, ends="second")
    assert found(reader, "fox") == 1, "the second ends never"
    write(writer, ends="third")
    assert [found(reader, each) for each in ("fox", "hen", "owl")] == [0, 0, 1]


def test_begun_twice_a_generation_keeps_what_it_has(writer: Snapshots, reader: Snapshots) -> None:
    write(writer, "fox", begins="second")
    write(writer, begins="second")
    write(writer, ends="second")
    assert found(reader, "fox") == 1


def test_packs_that_nobody_needs_are_deleted_once_nobody_copies_them(writer: Snapshots, reader: Snapshots) -> None:
    for n in range(12):
        write(writer, f"fox{n}")
    write(writer, begins="second")
    write(writer, "hen", ends="second")
    manifest = writer.refresh()
    assert len(manifest.packs) == 1
    assert keys() == {MANIFEST} | manifest.packs | manifest.dropped.keys()
    assert len(manifest.dropped) >= 12
    write(writer, "owl", at=LATER)
    assert keys() == {MANIFEST} | writer.refresh().packs
    assert (found(reader, "hen"), found(reader, "owl")) == (1, 1)


def test_a_reader_keeps_no_more_than_what_answers(writer: Snapshots, reader: Snapshots, tmp_path: Path) -> None:
    for n in range(30):
        write(writer, f"fox{n} same")
        assert found(reader, "same") == n + 1
    manifest = reader.refresh()
    (folder,) = (tmp_path / "reader").iterdir()
    kept = {path.name for path in folder.iterdir() if path.suffix in (".idx", ".store", ".del", ".term")}
    assert kept <= manifest.generations[manifest.serving].files.keys()
    assert json.loads((folder / "meta.json").read_text()) == json.loads(manifest.generations[manifest.serving].meta)


def test_a_reader_that_has_copied_all_asks_only_whether_there_is_more(
    writer: Snapshots, reader: Snapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(writer, "fox")
    found(reader, "fox")
    asked: list[str] = []
    get = client().get_object

    def note_key(**request: Any) -> Any:
        asked.append(request["Key"])
        return get(**request)

    monkeypatch.setattr(client(), "get_object", note_key)
    assert found(reader, "fox") == 1
    assert asked == [MANIFEST]


def test_an_index_that_was_lost_begins_anew(writer: Snapshots, reader: Snapshots) -> None:
    write(writer, "fox")
    assert found(reader, "fox") == 1
    Bucket(BUCKET).delete(keys())
    writer.building()
    with pytest.raises(ChangedError):
        writer.apply({}, None, None, NOON)
    write(writer, "hen")
    assert (found(reader, "fox"), found(reader, "hen")) == (0, 1)


def forget_form(*names: str) -> None:
    """As if another release had made these generations, or all, if none is named."""
    manifest = json.loads(Bucket(BUCKET).read(MANIFEST))
    for name in names or manifest["generations"]:
        del manifest["generations"][name]["form"]
    Bucket(BUCKET).write(MANIFEST, json.dumps(manifest).encode())


def test_an_index_of_another_form_answers_until_this_release_has_filled_one(
    writer: Snapshots, reader: Snapshots, tmp_path: Path
) -> None:
    write(writer, "fox")
    forget_form()
    deployed = Snapshots(Bucket(BUCKET), tmp_path / "deployed", writes=True)
    write(deployed, "hen")
    assert (found(reader, "fox"), found(reader, "hen")) == (1, 0), "it can't be written to"
    assert deployed.outdated() == deployed.refresh().serving
    write(deployed, "fox", begins="second")
    assert deployed.outdated() == deployed.refresh().serving
    assert found(reader, "fox") == 1
    write(deployed, "hen", ends="second")
    assert (found(reader, "fox"), found(reader, "hen")) == (1, 1)
    assert deployed.outdated() is None
    assert writer.refresh().serving == "second"


def test_what_another_release_was_filling_is_given_up(writer: Snapshots, reader: Snapshots, tmp_path: Path) -> None:
    write(writer, "fox")
    write(writer, "hen", begins="second")
    forget_form("second")
    taken_back = Snapshots(Bucket(BUCKET), tmp_path / "back", writes=True)
    assert taken_back.building() is None
    assert taken_back.outdated() is None
    write(taken_back, "owl", ends="second")
    assert (found(reader, "fox"), found(reader, "owl")) == (1, 1)
    assert keys() == {MANIFEST} | taken_back.refresh().packs | taken_back.refresh().dropped.keys()
    assert taken_back.refresh().generations.keys() == {taken_back.refresh().serving}


def test_a_rebuild_that_is_delivered_again_once_it_serves_changes_nothing(writer: Snapshots, reader: Snapshots) -> None:
    write(writer, "fox", begins="second", ends="second")
    write(writer, "hen", begins="second", ends="second")
    assert (found(reader, "fox"), found(reader, "hen")) == (1, 1)
