"""Reads records of a shard again, straight from the stream: those that waited in a state that Lambda has lost."""

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from edgewise import aws
from edgewise.errors import PassingError
from edgewise.freshness import heartbeats
from edgewise.stream import changes
from edgewise.stream.changes import Record
from edgewise.times import EARLIEST, Millis

# So many empty pages in a row may come before a record. AWS says that there are some, and not how many.
EMPTY_PAGES = 1000
# After so many an open shard is taken to have no more for now. What comes later is still behind the position.
QUIET_PAGES = 50


class UnreadError(PassingError):
    """A shard was not read again as far as it had to be."""

    def __init__(self, shard_id: str, after: int | None, why: str) -> None:
        super().__init__(f"{shard_id} was not read again behind {after} as far as it has to be: {why}")


class Until(NamedTuple):
    """Where to stop reading: before the record with this number, or if there is none, before those of this time.

    `since`: a record of this time or later is there for sure, if there is no number.
    """

    before: int | None
    time: Millis
    since: Millis = EARLIEST

    def ends_before(self, record: Record) -> bool:
        """Whether a record must not be read any more."""
        number = changes.number(record)
        if number is None:
            return True
        return number >= self.before if self.before is not None else changes.checkpoint(record).at >= self.time

    def may_end_behind(self, last: Record | None) -> bool:
        """Whether there may be nothing to read any more behind this record, the last one that was read."""
        if self.before is not None:
            return False
        return (changes.checkpoint(last).at if last else EARLIEST) >= self.since


# Reads the records of a shard behind a number (None: from its first record on); raises UnreadError.
Reread = Callable[[int | None, Until], Iterator[Record]]


class Rereading(NamedTuple):
    """Who reads a shard again, and knows which one it continues: as `behind` and `parent` do."""

    behind: Callable[[str, str, Callable[[], bool]], Reread]
    parent: Callable[[str, str], str | None]


def behind(arn: str, shard_id: str, may_go_on: Callable[[], bool]) -> Reread:
    """Reads the records of this shard behind a number (None: from its first record on); raises UnreadError."""

    def read(after: int | None, until: Until) -> Iterator[Record]:
        iterator, last, empty = _iterator(arn, shard_id, after), None, 0
        while iterator is not None:
            if not may_go_on():
                raise UnreadError(shard_id, after, "no time is left")
            page = aws.streams().get_records(ShardIterator=iterator)
            for last in map(as_delivered, page["Records"]):
                if until.ends_before(last):
                    return
                yield {**last, "eventSourceARN": arn}
            empty = 0 if page["Records"] else empty + 1
            if empty >= QUIET_PAGES and until.may_end_behind(last):
                return
            if empty == EMPTY_PAGES:
                raise UnreadError(shard_id, after, f"{EMPTY_PAGES} empty pages came in a row")
            iterator = page.get("NextShardIterator")

    return read


def parent(arn: str, shard_id: str) -> str | None:
    """The shard that this one continues; None if there is none, or the stream has forgotten it."""
    try:
        found = {each["ShardId"]: each.get("ParentShardId") for each in heartbeats.described(arn)}
    except aws.streams().exceptions.ResourceNotFoundException:
        return None
    before = found.get(shard_id)
    return before if before in found else None


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


FROM_STREAM = Rereading(behind, parent)
