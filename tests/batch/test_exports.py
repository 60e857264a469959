"""Exports are read as DynamoDB writes them, and an export that is torn is refused by name."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from batch import exports
from batch.exports import TornExportError
from functions.dynamodb.attributes import Item

PREFIX, INSTANT = "AWSDynamoDB/1", "2026-11-23T00:00:00.000Z"
ITEMS: list[Item] = [
    {"PK": {"S": f"p{number}"}, "SK": {"S": "é\u2028"}, "B": {"B": bytes([number, 255])}, "L": {"L": [{"BOOL": True}]}}
    for number in range(5)
]
MANIFEST, DATA = f"{PREFIX}/{exports.FILES}", f"{PREFIX}/data/000001.json.gz"


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(exports, "ITEMS_A_FILE", 2)
    exports.write(tmp_path, PREFIX, INSTANT, ITEMS)
    return tmp_path


def test_what_is_written_is_read(bucket: Path) -> None:
    export = exports.opened(bucket, PREFIX)
    assert (export.instant, [part.items for part in export.parts]) == (INSTANT, [2, 2, 1])
    assert list(export.items()) == ITEMS


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
        list(exports.opened(bucket, PREFIX).items())
    assert (raised.value.name, raised.value.why) == (named, why)
