"""The API by which programs read a stream themselves: DescribeStream, GetShardIterator, GetRecords."""

from base64 import b64decode
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import cycle
from types import SimpleNamespace
from typing import Any

from delivery.mapping import DAY
from delivery.stream import Shard, Stream

# How many answers there are in one instant of simulated time at most: who asks for more asks for ever.
MOST_ANSWERS = 5000


class ResourceNotFoundException(Exception):
    """The stream, or the shard, is not there."""


class TrimmedDataAccessException(Exception):
    """Records behind the number have left the stream already."""


class LimitExceededException(Exception):
    """Too many requests."""


class Reads:
    """A client of these streams with the names of boto3's `dynamodbstreams`.

    - `page`: how many records an answer has at most
    - `empty`: how many empty answers come before one with records, each time the next of these numbers
    - `kept`: for how many seconds the streams keep records

    Behind the last record of an open shard all answers are empty; only a closed shard has an end.
    """

    exceptions = SimpleNamespace(
        ResourceNotFoundException=ResourceNotFoundException,
        TrimmedDataAccessException=TrimmedDataAccessException,
        LimitExceededException=LimitExceededException,
    )

    def __init__(self, *streams: Stream, page: int = 1000, empty: Iterable[int] = (1,), kept: float = DAY) -> None:
        self.page = page
        self.empty: Iterator[int] = cycle(empty)
        self.kept = kept
        self._streams = {stream.source.arn: stream for stream in streams}
        self._answers, self._at = 0, 0.0

    def describe_stream(self, StreamArn: str) -> dict[str, Any]:
        """The shards that are open, or have closed lately, each with its parent."""
        shards, horizon = self._stream(StreamArn).shards, self._horizon(StreamArn)
        closed_at = {each.parent: each.opened_at for each in shards}
        kept = [each for each in shards if not each.closed or closed_at[each.id] >= horizon]
        return {"StreamDescription": {"Shards": [_described(each) for each in kept]}}

    def get_shard_iterator(
        self, StreamArn: str, ShardId: str, ShardIteratorType: str, SequenceNumber: str = ""
    ) -> dict[str, str]:
        """Where to begin: with the oldest record (TRIM_HORIZON), with the next (LATEST), or AFTER_SEQUENCE_NUMBER."""
        shard = self._shard(StreamArn, ShardId)
        oldest = bisect_left(shard.records, self._horizon(StreamArn), key=lambda record: record.at)
        if ShardIteratorType == "TRIM_HORIZON":
            return {"ShardIterator": self._iterator(StreamArn, shard, oldest)}
        if ShardIteratorType == "LATEST":
            return {"ShardIterator": self._iterator(StreamArn, shard, len(shard.records))}
        place = bisect_right(shard.records, int(SequenceNumber), key=lambda record: record.sequence)
        if place < oldest:
            raise TrimmedDataAccessException(SequenceNumber)
        return {"ShardIterator": self._iterator(StreamArn, shard, place)}

    def get_records(self, ShardIterator: str) -> dict[str, Any]:
        """The next records; without `NextShardIterator` they are the last ones."""
        arn, shard_id, place, empty = ShardIterator.rsplit(" ", 3)
        shard, start = self._shard(arn, shard_id), int(place)
        self._count(self._stream(arn).clock.now)
        if int(empty):
            return {"Records": [], "NextShardIterator": f"{arn} {shard_id} {start} {int(empty) - 1}"}
        found = shard.records[start : start + self.page]
        answer = {"Records": [_as_read(each.form) for each in found]}
        end = start + len(found)
        if shard.closed and end == len(shard.records):
            return answer
        return answer | {"NextShardIterator": self._iterator(arn, shard, end)}

    def _count(self, now: float) -> None:
        self._answers, self._at = (self._answers + 1 if self._at == now else 1), now
        if self._answers > MOST_ANSWERS:
            raise LimitExceededException

    def _iterator(self, arn: str, shard: Shard, place: int) -> str:
        return f"{arn} {shard.id} {place} {next(self.empty)}"

    def _stream(self, arn: str) -> Stream:
        if arn not in self._streams:
            raise ResourceNotFoundException(arn)
        return self._streams[arn]

    def _shard(self, arn: str, shard_id: str) -> Shard:
        for shard in self._stream(arn).shards:
            if shard.id == shard_id:
                return shard
        raise ResourceNotFoundException(shard_id)

    def _horizon(self, arn: str) -> float:
        return self._stream(arn).clock.now - self.kept


def _described(shard: Shard) -> dict[str, Any]:
    numbers = [str(each.sequence) for each in shard.records] or ["0"]
    ends = {"EndingSequenceNumber": numbers[-1]} if shard.closed else {}
    parent = {"ParentShardId": shard.parent} if shard.parent else {}
    return {"ShardId": shard.id, "SequenceNumberRange": {"StartingSequenceNumber": numbers[0], **ends}, **parent}


def _as_read(form: Mapping[str, Any]) -> dict[str, Any]:
    """A record as this API tells it: its time as an instant, binary values as bytes, and who wrote it in capitals."""
    change = dict(form["dynamodb"])
    change |= {name: _binary(change[name]) for name in ("Keys", "OldImage", "NewImage") if name in change}
    at = datetime.fromtimestamp(change["ApproximateCreationDateTime"], UTC)
    user = form.get("userIdentity")
    identity = {"userIdentity": {"Type": user["type"], "PrincipalId": user["principalId"]}} if user else {}
    return {**form, "dynamodb": {**change, "ApproximateCreationDateTime": at}, **identity}


def _binary(value: Any) -> Any:
    match value:
        case {"B": str(text)}:
            return {"B": b64decode(text)}
        case {"BS": [*texts]}:
            return {"BS": [b64decode(each) for each in texts]}
        case dict():
            return {name: _binary(each) for name, each in value.items()}
        case list():
            return [_binary(each) for each in value]
        case _:
            return value
