"""Reads records of a shard again, straight from the stream: those that waited in a state that Lambda has lost."""

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from edgewise import aws
from edgewise.errors import PassingError
from edgewise.stream import changes
from edgewise.stream.changes import Record
from edgewise.times import Millis

# So many empty pages in a row are taken for the end of a shard.
EMPTY_PAGES = 50


class NoTimeToReadError(PassingError):
    """There was no time to read a shard again to the end."""

    def __init__(self, shard_id: str, after: int | None) -> None:
        super().__init__(f"out of time while reading {shard_id} again behind {after}")


class Until(NamedTuple):
    """Where to stop reading: before the record with this number, or if there is none, before those of this time."""

    before: int | None
    time: Millis

    def ends_before(self, record: Record) -> bool:
        """Whether a record must not be read any more."""
        number = changes.number(record)
        if number is None:
            return True
        return number >= self.before if self.before is not None else changes.checkpoint(record).at >= self.time


def behind(arn: str, shard_id: str, may_go_on: Callable[[], bool]) -> Callable[[int | None, Until], Iterator[Record]]:
    """Reads the records of this shard behind a number (None: from its first record on)."""

    def read(after: int | None, until: Until) -> Iterator[Record]:
        position, empty = _iterator(arn, shard_id, after), 0
        while position is not None:
            if not may_go_on():
                raise NoTimeToReadError(shard_id, after)
            page = aws.streams().get_records(ShardIterator=position)
            for record in map(as_delivered, page["Records"]):
                if until.ends_before(record):
                    return
                yield record
            # The batch's first record is still to come. Of a window without one, nothing is left at the end of an open
            # shard, which no answer tells; but empty pages may come before it.
            empty = 0 if page["Records"] else empty + 1
            position = page.get("NextShardIterator") if until.before is not None or empty < EMPTY_PAGES else None

    return read


def _iterator(arn: str, shard_id: str, after: int | None) -> str | None:
    """Where to begin; None: nowhere, since the stream is gone. What is no longer in a stream can't be read again."""
    of_shard, found = {"StreamArn": arn, "ShardId": shard_id}, aws.streams().exceptions
    try:
        try:
            # A number has at least 21 digits: DynamoDB Local begins with zeros.
            return (
                _asked(of_shard, "AFTER_SEQUENCE_NUMBER", SequenceNumber=f"{after:021}") if after else _asked(of_shard)
            )
        except found.TrimmedDataAccessException:
            return _asked(of_shard)
    except found.ResourceNotFoundException:
        return None


def _asked(of_shard: Mapping[str, str], kind: str = "TRIM_HORIZON", **at: str) -> str:
    return str(aws.streams().get_shard_iterator(**of_shard, ShardIteratorType=kind, **at)["ShardIterator"])


def as_delivered(record: Mapping[str, Any]) -> Record:
    """A record as Lambda would deliver it: its time as a number, and binary values as texts."""
    change = record["dynamodb"]
    at = change["ApproximateCreationDateTime"].timestamp()
    images = {name: _plain(change[name]) for name in ("Keys", "OldImage", "NewImage") if name in change}
    user = record.get("userIdentity")
    identity = {"type": user.get("Type"), "principalId": user.get("PrincipalId")} if user else None
    return {**record, "userIdentity": identity, "dynamodb": {**change, **images, "ApproximateCreationDateTime": at}}


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | set) else value
