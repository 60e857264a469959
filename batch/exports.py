"""Full exports of a table as DynamoDB writes them: manifests, and gzipped files with an item in each line.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataExport.Output.html
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from functions.dynamodb.attributes import Item

SUMMARY, FILES = "manifest-summary.json", "manifest-files.json"
# How many items the small exporter puts into a file.
ITEMS_A_FILE = 10_000


class TornExportError(Exception):
    """An export that can't be trusted: `name` is the file, and `why` says what is wrong with it."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name, self.why = name, why


@dataclass(frozen=True)
class Part:
    """A data file: its path in the bucket, how many items it has, and its MD5 sum in Base64."""

    path: str
    items: int
    md5: str


@dataclass(frozen=True)
class Export:
    """A full export: the folder that stands for the bucket, the instant that it shows, and its data files."""

    bucket: Path
    instant: str
    parts: tuple[Part, ...]

    def items(self) -> Iterator[Item]:
        """All items, file by file; raises TornExportError."""
        for part in self.parts:
            yield from part_items(self.bucket, part)


def opened(bucket: Path, prefix: str) -> Export:
    """The export whose manifests are below this prefix; raises TornExportError."""
    summary = _json(f"{prefix}/{SUMMARY}", _text(bucket, f"{prefix}/{SUMMARY}"))
    name = summary["manifestFilesS3Key"]
    lines = [_json(name, line) for line in _lines(_text(bucket, name))]
    parts = tuple(Part(line["dataFileS3Key"], line["itemCount"], line["md5Checksum"]) for line in lines)
    if sum(part.items for part in parts) != summary["itemCount"]:
        raise TornExportError(name, f"its files do not have the {summary['itemCount']} items of the summary")
    return Export(bucket, summary["exportTime"], parts)


def part_items(bucket: Path, part: Part) -> Iterator[Item]:
    """The items of one file; raises TornExportError if it is missing, altered or incomplete."""
    packed = _bytes(bucket, part.path)
    if md5(packed) != part.md5:
        raise TornExportError(part.path, "its checksum differs from that of the manifest")
    lines = _lines(gzip.decompress(packed).decode())
    if len(lines) != part.items:
        raise TornExportError(part.path, f"it has {len(lines)} items instead of {part.items}")
    for number, line in enumerate(lines, 1):
        yield _item(part.path, number, line)


def write(bucket: Path, prefix: str, instant: str, items: Iterable[Item]) -> None:
    """Write an export as DynamoDB does; the emulator only says that it has."""
    left, parts = iter(items), list[Part]()
    while some := list(islice(left, ITEMS_A_FILE)):
        lines = "".join(json.dumps({"Item": item}, default=_binary, ensure_ascii=False) + "\n" for item in some)
        packed = gzip.compress(lines.encode(), mtime=0)
        path = f"{prefix}/data/{len(parts):06}.json.gz"
        _put(bucket, path, packed)
        parts.append(Part(path, len(some), md5(packed)))
    told = [{"itemCount": part.items, "md5Checksum": part.md5, "dataFileS3Key": part.path} for part in parts]
    _put(bucket, f"{prefix}/{FILES}", "".join(json.dumps(each) + "\n" for each in told).encode())
    summary = {
        "exportTime": instant,
        "exportType": "FULL_EXPORT",
        "itemCount": sum(part.items for part in parts),
        "manifestFilesS3Key": f"{prefix}/{FILES}",
        "outputFormat": "DYNAMODB_JSON",
    }
    _put(bucket, f"{prefix}/{SUMMARY}", json.dumps(summary).encode())


def _item(path: str, number: int, line: str) -> Item:
    try:
        item: Item = json.loads(line)["Item"]
        return {name: _read(value) for name, value in item.items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise TornExportError(path, f"line {number} is no item: {type(error).__name__}") from error


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


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise TornExportError(name, "it is no JSON") from error


def _lines(text: str) -> list[str]:
    """The lines that end with a line feed alone: items may have other ends of lines in their texts."""
    return text.removesuffix("\n").split("\n") if text else []


def _text(bucket: Path, path: str) -> str:
    return _bytes(bucket, path).decode()


def _bytes(bucket: Path, path: str) -> bytes:
    try:
        return (bucket / path).read_bytes()
    except FileNotFoundError as error:
        raise TornExportError(path, "it is missing") from error


def _put(bucket: Path, path: str, content: bytes) -> None:
    (bucket / path).parent.mkdir(parents=True, exist_ok=True)
    (bucket / path).write_bytes(content)


def md5(content: bytes) -> str:
    """The checksum of a file as manifests have it."""
    return base64.b64encode(hashlib.md5(content, usedforsecurity=False).digest()).decode()
