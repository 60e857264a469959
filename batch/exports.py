"""Exports of a table in DynamoDB's own format: two manifests, and gzipped files with an item in each line.

A full export has the items of the table as they were at an instant. An incremental one has the changes between two
instants: for each item that changed, how it was at the first and how it was at the second.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from edgewise.dynamodb.attributes import Item
from edgewise.times import Millis

SUMMARY, FILES = "manifest-summary.json", "manifest-files.json"
FULL, INCREMENTAL = "FULL_EXPORT", "INCREMENTAL_EXPORT"
# Reads a file of the bucket whole, by its path; raises FileNotFoundError.
Read = Callable[[str], bytes]
# A line of a data file, as plain JSON.
Line = Mapping[str, Any]
# Writes a file of the bucket.
Write = Callable[[str, bytes], object]


class TornExportError(Exception):
    """An export that can't be trusted: `name` is the file, and `why` says what is wrong with it."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(name, why)
        self.name, self.why = name, why

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


@dataclass(frozen=True)
class Part:
    """A data file: its path in the bucket, how many items it has, and its MD5 sum in Base64."""

    path: str
    items: int
    md5: str


@dataclass(frozen=True)
class Export:
    """An export: the instant that it shows, or the first and the last, as texts; and its data files."""

    instants: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def instant(self) -> str:
        """The instant that a full export shows."""
        return self.instants[0]

    @property
    def items(self) -> int:
        """How many items or changes it has."""
        return sum(part.items for part in self.parts)


@dataclass(frozen=True)
class Change:
    """What happened to an item between two instants: how it was at each; None if it did not exist then.

    `at`: when it was last written.
    """

    old: Item | None
    new: Item | None
    at: Millis


def opened(read: Read, prefix: str) -> Export:
    """The export whose manifests are below this prefix; raises TornExportError."""
    name = f"{prefix}/{SUMMARY}"
    summary = _json(name, file(read, name))
    try:
        return _opened(read, summary)
    except (KeyError, TypeError) as error:
        raise TornExportError(name, f"it lacks {error}") from error


def file(read: Read, path: str) -> bytes:
    """A file of an export; raises TornExportError if it is missing."""
    try:
        return read(path)
    except FileNotFoundError as error:
        raise TornExportError(path, "it is missing") from error


def items(part: Part, packed: bytes) -> Iterator[Item]:
    """The items of a file of a full export; raises TornExportError if it is altered or incomplete."""
    for number, line in enumerate(_checked(part, packed), 1):
        yield _understood(part, number, line, lambda plain: _item(plain["Item"]))


def changes(part: Part, packed: bytes) -> Iterator[Change]:
    """The changes in a file of an incremental export; raises TornExportError if it is altered or incomplete."""
    for number, line in enumerate(_checked(part, packed), 1):
        yield _understood(part, number, line, _change)


def written(write: Write, prefix: str, instants: Sequence[str], lines: Iterable[Line], a_file: int) -> None:
    """Write an export as DynamoDB does, since the emulator only says that it has: full at one instant, or between two.

    Each file has so many lines, which `full_line` or `change_line` made.
    """
    parts, rest = list[Part](), iter(lines)
    while some := list(islice(rest, a_file)):
        text = "".join(json.dumps(line, default=_binary, ensure_ascii=False) + "\n" for line in some)
        packed = gzip.compress(text.encode(), mtime=0)
        parts.append(Part(f"{prefix}/data/{len(parts):06}.json.gz", len(some), md5(packed)))
        write(parts[-1].path, packed)
    told = [{"itemCount": part.items, "md5Checksum": part.md5, "dataFileS3Key": part.path} for part in parts]
    write(f"{prefix}/{FILES}", "".join(json.dumps(each) + "\n" for each in told).encode())
    of_type = FULL if len(instants) == 1 else INCREMENTAL
    names = ("exportTime",) if of_type == FULL else ("exportFromTime", "exportToTime")
    summary = dict(zip(names, instants, strict=True)) | {
        "exportType": of_type,
        "itemCount": sum(part.items for part in parts),
        "manifestFilesS3Key": f"{prefix}/{FILES}",
        "outputFormat": "DYNAMODB_JSON",
    }
    write(f"{prefix}/{SUMMARY}", json.dumps(summary).encode())


def full_line(item: Item) -> Line:
    """An item as a full export has it."""
    return {"Item": item}


def change_line(change: Change) -> Line:
    """A change as an incremental export has it."""
    images = {"OldImage": change.old, "NewImage": change.new}
    item = change.new or change.old or {}
    keys = {name: item[name] for name in ("PK", "SK")}
    told = {"Metadata": {"WriteTimestampMicros": {"N": str(change.at * 1000)}}, "Keys": keys}
    return told | {name: image for name, image in images.items() if image is not None}


def md5(content: bytes) -> str:
    """The checksum of a file as manifests have it."""
    return base64.b64encode(hashlib.md5(content, usedforsecurity=False).digest()).decode()


def _opened(read: Read, summary: Mapping[str, Any]) -> Export:
    name = summary["manifestFilesS3Key"]
    lines = [_json(name, line.encode()) for line in _lines(file(read, name).decode())]
    parts = tuple(Part(line["dataFileS3Key"], line["itemCount"], line["md5Checksum"]) for line in lines)
    full = summary["exportType"] == FULL
    instants = ("exportTime",) if full else ("exportFromTime", "exportToTime")
    export = Export(tuple(summary[each] for each in instants), parts)
    if export.items != summary["itemCount"]:
        raise TornExportError(name, f"its files do not have the {summary['itemCount']} items of the summary")
    return export


def _checked(part: Part, packed: bytes) -> list[str]:
    if md5(packed) != part.md5:
        raise TornExportError(part.path, "its checksum differs from that of the manifest")
    lines = _lines(gzip.decompress(packed).decode())
    if len(lines) != part.items:
        raise TornExportError(part.path, f"it has {len(lines)} items instead of {part.items}")
    return lines


def _understood(part: Part, number: int, line: str, decode: Callable[[Any], Any]) -> Any:
    try:
        return decode(json.loads(line))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TornExportError(part.path, f"line {number} is no item: {type(error).__name__}") from error


def _item(plain: Mapping[str, Any]) -> Item:
    return {name: _read(value) for name, value in plain.items()}


def _change(plain: Mapping[str, Any]) -> Change:
    old, new = (_item(plain[name]) if name in plain else None for name in ("OldImage", "NewImage"))
    written = plain["Metadata"]["WriteTimestampMicros"]
    # The documentation shows a plain text; the attribute of a number is how DynamoDB writes all else.
    return Change(old, new, int(written["N"] if isinstance(written, dict) else written) // 1000)


def _read(value: Any) -> Any:
    """An attribute's value as boto3 gives it: binary values are bytes, wherever they are."""
    ((kind, content),) = value.items()
    match kind:
        case "B":
            return {"B": base64.b64decode(content)}
        case "BS":
            return {"BS": [base64.b64decode(each) for each in content]}
        case "M":
            return {"M": {name: _read(each) for name, each in content.items()}}
        case "L":
            return {"L": list(map(_read, content))}
        case _:
            return value


def _binary(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _json(name: str, content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError as error:
        raise TornExportError(name, "it is no JSON") from error


def _lines(text: str) -> list[str]:
    """The lines that end with a line feed alone: items may have other ends of lines in their texts."""
    return text.removesuffix("\n").split("\n") if text else []
