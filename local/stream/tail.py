"""The emulator's stream of a table, followed to its end: one lane of records, as the emulator has them."""

from collections.abc import Iterator
from typing import Any

from botocore.exceptions import ClientError

from delivery import Source

Form = dict[str, Any]
# The iterator has become too old, or its record has: it is asked for anew.
_ANEW = frozenset({"ExpiredIteratorException", "TrimmedDataAccessException"})
_GONE = "ResourceNotFoundException"


class Tail:
    """Reads each record once, in the form in which Lambda passes it.

    `streams`: the emulator's client, whose answers are as they were sent (edgewise/dynamodb/responses.py).
    """

    def __init__(self, streams: Any, arn: str) -> None:
        self._streams, self._arn = streams, arn
        self._last = ""
        self._iterator: str | None = None
        self._ended = False

    def source(self) -> Source:
        """The table that the stream is of; raises ClientError."""
        told = self._described()
        keys = sorted(told["KeySchema"], key=lambda each: str(each["KeyType"]))  # HASH, then RANGE
        return Source([each["AttributeName"] for each in keys], told["StreamViewType"], self._arn)

    def news(self) -> Iterator[Form]:
        """The records that have come since the last call; none once the stream is gone. Raises ClientError."""
        while not self._ended:
            page = self._page()
            yield from map(self._form, page)
            if not page:
                return

    def _page(self) -> list[Form]:
        try:
            self._iterator = self._iterator or self._begin()
            answer = self._streams.get_records(ShardIterator=self._iterator)
        except ClientError as error:
            code = error.response["Error"]["Code"]
            if code not in (*_ANEW, _GONE):
                raise
            self._iterator, self._ended = None, code == _GONE
            return []
        self._iterator = answer.get("NextShardIterator")
        self._ended = self._iterator is None
        found: list[Form] = answer["Records"]
        if found:
            self._last = found[-1]["dynamodb"]["SequenceNumber"]
        return found

    def _begin(self) -> str:
        """Behind the last record that was read, or with the oldest one."""
        (shard,) = self._described()["Shards"]
        place = {"StreamArn": self._arn, "ShardId": shard["ShardId"]}
        behind = {"ShardIteratorType": "AFTER_SEQUENCE_NUMBER", "SequenceNumber": self._last}
        told = self._streams.get_shard_iterator(
            **place, **(behind if self._last else {"ShardIteratorType": "TRIM_HORIZON"})
        )
        return str(told["ShardIterator"])

    def _described(self) -> Any:
        return self._streams.describe_stream(StreamArn=self._arn)["StreamDescription"]

    def _form(self, record: Form) -> Form:
        """The record as Lambda has it: the emulator fills numbers up with zeros, and AWS does not."""
        change = record["dynamodb"]
        number, at = str(int(change["SequenceNumber"])), float(change["ApproximateCreationDateTime"])
        own = {"SequenceNumber": number, "ApproximateCreationDateTime": at}
        return {**record, "dynamodb": {**change, **own}, "eventSourceARN": self._arn}
