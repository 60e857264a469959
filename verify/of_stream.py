"""Conclusions about the stream, from the records of the scratch item and the description of the shards. Pure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from verify.probing import Seen, seen, unseen
from verify.scratch import Scratch
from verify.stream import Record, Shard


def of_records(scratch: Scratch) -> Iterator[Seen]:
    """Conclude from the records of version 1, 1 again, one of eight concurrent versions, 100, and the removal."""
    records, told = scratch.records, ", ".join(map(_told, scratch.records)) or "no record"
    expected = ["INSERT", *["MODIFY"] * (len(scratch.versions) - 1), "REMOVE"]
    with_images = all(_images(record) == _expected_images(record) for record in records)
    once = sorted(record["eventName"] for record in records) == expected and with_images
    yield seen("each-change-once", once, f"{len(scratch.versions)} versions and a removal gave: {told}")
    doubled = sum(_version(record, "NewImage") == 1 for record in records)
    yield seen("nothing-for-no-change", doubled == 1, f"version 1 put twice gave {doubled} records")
    versions = [_version(record, "NewImage") for record in records]
    in_order = versions == [*scratch.versions, None]
    yield seen("order-of-one-item", in_order, f"put: {_list(scratch.versions)}; in the stream: {told}")
    numbers = [int(record["dynamodb"]["SequenceNumber"]) for record in records]
    grow = len(numbers) > 1 and all(one < other for one, other in pairwise(numbers))
    text = f"{len(numbers)} numbers of {min(map(_digits, records), default=0)} digits and more"
    yield seen("numbers-grow", grow, f"{text}: {'growing' if grow else 'not growing'}")


def of_shards(found: Sequence[Shard], listed: int) -> Iterator[Seen]:
    """Conclude from the open and closed shards, and from whether children continue after the end of their parents."""
    closed = [shard for shard in found if shard.last is not None]
    told = f"{listed} stream listed; {len(found) - len(closed)} open and {len(closed)} closed shards"
    without = sum(shard.first is None for shard in found)
    text = f"{told}, {without} of them without a starting number"
    yield seen("shards-described", listed > 0 and bool(found) and not without, text)
    by_id = {shard.id: shard for shard in found}
    pairs = [
        (parent.last, shard.first)
        for shard in found
        if shard.parent in by_id and (parent := by_id[shard.parent]).last is not None and shard.first is not None
    ]
    behind = sum(first > last for last, first in pairs if last is not None)
    yield (
        seen(
            "parents-before-children",
            behind == len(pairs),
            f"{behind} of {len(pairs)} children begin after their parent's end",
        )
        if pairs
        else unseen("parents-before-children", "no shard is described together with its parent")
    )


def _told(record: Record) -> str:
    version = _version(record, "NewImage")
    return f"{record['eventName']} {'' if version is None else version}".strip()


def _version(record: Record, image: str) -> int | None:
    found = record["dynamodb"].get(image)
    return int(found["Version"]["N"]) if found else None


def _images(record: Record) -> set[str]:
    return {image for image in ("OldImage", "NewImage") if image in record["dynamodb"]}


def _expected_images(record: Record) -> set[str]:
    images: dict[str, set[str]] = {
        "INSERT": {"NewImage"},
        "MODIFY": {"OldImage", "NewImage"},
        "REMOVE": {"OldImage"},
    }
    return images[str(record["eventName"])]


def _digits(record: Record) -> int:
    return len(record["dynamodb"]["SequenceNumber"])


def _list(versions: Sequence[int]) -> str:
    return ", ".join(map(str, versions))
