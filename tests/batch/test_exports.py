"""Exports are read as DynamoDB writes them, and an export that is torn is refused by name."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from batch import exports
from batch.exports import Change, Part, TornExportError
from batch.folders import Folder
from edgewise.dynamodb.attributes import Item

PREFIX, INSTANT, LATER = "AWSDynamoDB/1", "2026-11-23T00:00:00.000Z", "2026-11-23T00:15:00.000Z"
ITEMS: list[Item] = [
    {"PK": {"S": f"p{number}"}, "SK": {"S": "é\u2028"}, "B": {"B": bytes([number, 255])}, "L": {"L": [{"BOOL": True}]}}
    for number in range(5)
]
MANIFEST, DATA = f"{PREFIX}/{exports.FILES}", f"{PREFIX}/data/000001.json.gz"


@pytest.fixture
def bucket(tmp_path: Path) -> Path:
    exports.written(Folder(tmp_path).write, PREFIX, [INSTANT], list(map(exports.full_line, ITEMS)), 2)
    return tmp_path


def test_what_is_written_is_read(bucket: Path) -> None:
    export = exports.opened(Folder(bucket).read, PREFIX)
    assert (export.instant, export.items, [part.items for part in export.parts]) == (INSTANT, 5, [2, 2, 1])
    assert items_below(bucket) == ITEMS


def test_changes_that_are_written_are_read(tmp_path: Path) -> None:
    folder, first, second = Folder(tmp_path), ITEMS[0], ITEMS[0] | {"B": {"B": b"2"}}
    changes = [Change(None, first, 1), Change(first, second, 1_795_000_000_123), Change(second, None, 0)]
    exports.written(folder.write, PREFIX, [INSTANT, LATER], list(map(exports.change_line, changes)), 2)
    export = exports.opened(folder.read, PREFIX)
    assert export.instants == (INSTANT, LATER)
    assert [each for part, packed in folder.files(export).all() for each in exports.changes(part, packed)] == changes


def test_changes_are_read_as_the_documentation_shows_them(tmp_path: Path) -> None:
    line = {
        "Metadata": {"WriteTimestampMicros": "1680109764000000"},
        "Keys": {"PK": {"S": "CUST#100"}},
        "NewImage": {"PK": {"S": "CUST#100"}, "FirstName": {"S": "John"}},
    }
    packed = gzip.compress((json.dumps(line) + "\n").encode())
    assert list(exports.changes(Part("data/1.json.gz", 1, exports.md5(packed)), packed)) == [
        Change(None, {"PK": {"S": "CUST#100"}, "FirstName": {"S": "John"}}, 1_680_109_764_000)
    ]


def items_below(bucket: Path) -> list[Item]:
    folder = Folder(bucket)
    files = folder.files(exports.opened(folder.read, PREFIX)).all()
    return [item for part, packed in files for item in exports.items(part, packed)]


def test_files_are_lines_of_items(bucket: Path) -> None:
    """As the documentation shows them."""
    lines = gzip.decompress((bucket / DATA).read_bytes()).decode().split("\n")[:-1]
    assert [json.loads(line)["Item"]["PK"] for line in lines] == [{"S": "p2"}, {"S": "p3"}]
    assert json.loads(lines[0])["Item"]["B"] == {"B": "Av8="}


def altered(change: Callable[[str], str]) -> Callable[[Path], None]:
    """The second data file with other lines, and a manifest that knows its new checksum."""

    def alter(path: Path) -> None:
        packed = gzip.compress(change(gzip.decompress(path.read_bytes()).decode()).encode())
        path.write_bytes(packed)
        manifest = path.parents[1] / exports.FILES
        lines: list[Any] = [json.loads(line) for line in manifest.read_text().splitlines()]
        lines[1]["md5Checksum"] = exports.md5(packed)
        manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))

    return alter


@pytest.mark.parametrize(
    ("path", "harm", "named", "why"),
    [
        (DATA, Path.unlink, DATA, "it is missing"),
        (
            DATA,
            lambda path: path.write_bytes(path.read_bytes()[:-1]),
            DATA,
            "its checksum differs from that of the manifest",
        ),
        (DATA, altered(lambda text: text.split("\n")[0]), DATA, "it has 1 items instead of 2"),
        (DATA, altered(lambda text: text.replace('"Item"', '"Thing"')), DATA, "line 1 is no item: KeyError"),
        (DATA, altered(lambda text: text.replace("{", "(")), DATA, "line 1 is no item: JSONDecodeError"),
        (MANIFEST, Path.unlink, MANIFEST, "it is missing"),
        (MANIFEST, lambda path: path.write_text("{"), MANIFEST, "it is no JSON"),
        (
            MANIFEST,
            lambda path: path.write_text(path.read_text().splitlines()[0]),
            MANIFEST,
            "its files do not have the 5 items of the summary",
        ),
    ],
)
def test_a_torn_export_is_refused(bucket: Path, path: str, harm: Callable[[Path], Any], named: str, why: str) -> None:
    harm(bucket / path)
    with pytest.raises(TornExportError) as raised:
        items_below(bucket)
    assert (raised.value.name, raised.value.why) == (named, why)
