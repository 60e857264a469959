"""A batch that is kept: what was delivered, read and written, as bytes for a bucket.

It holds whatever its records and items hold, personal data too: who stores it must let it end.
"""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.stream.changes import Record
from edgewise.stream.keeping import NotedRereading, NotedTable
from edgewise.times import Millis

# A change of what is kept needs a new one: what another release has kept in another format is passed over.
FORMAT = 1
_BYTES = "base64"


class OtherFormatError(Exception):
    """Another release has kept a batch in a format that this one can't read."""


@dataclass(frozen=True)
class KeptBatch:
    """One batch of a shard, and what a release made of it, between the instants `began` and `ended`.

    `counts`: the number of the last change of what is counted that this release had announced. `read`: the items as
    they were before the batch's own writes, None: there was none; `written`: as the batch left them. `records`: what
    was read again of shards, by shard and the number behind which; `parents`: the shards that others continue.
    """

    counts: int
    began: Millis
    ended: Millis
    event: Mapping[str, Any]
    answer: Mapping[str, Any]
    read: Mapping[Key, Item | None]
    written: Mapping[Key, Item | None]
    records: Mapping[tuple[str, int | None], Sequence[Record]]
    parents: Mapping[str, str | None]

    @classmethod
    def of(
        cls,
        counts: int,
        during: tuple[Millis, Millis],
        event: Mapping[str, Any],
        answer: Mapping[str, Any],
        table: NotedTable,
        rereading: NotedRereading,
    ) -> Self:
        """What is to be kept of a batch that was absorbed with these."""
        began, ended = during
        noted = table.read, table.written, rereading.records, rereading.parents
        return cls(counts, began, ended, event, answer, *noted)

    @property
    def packed(self) -> bytes:
        """The batch as JSON, compressed."""
        plain = {
            "format": FORMAT,
            "counts": self.counts,
            "during": [self.began, self.ended],
            "event": self.event,
            "answer": self.answer,
            "read": [[*key, item] for key, item in self.read.items()],
            "written": [[*key, item] for key, item in self.written.items()],
            "records": [[shard, after and str(after), found] for (shard, after), found in self.records.items()],
            "parents": self.parents,
        }
        return gzip.compress(json.dumps(plain, default=_plain).encode(), mtime=0)

    @classmethod
    def parse(cls, packed: bytes) -> Self:
        """The inverse; raises OtherFormatError."""
        found = json.loads(gzip.decompress(packed), object_hook=_whole)
        if found.get("format") != FORMAT:
            raise OtherFormatError(
                f"a batch is kept in the format {found.get('format')}, and this release reads {FORMAT}"
            )
        began, ended = found["during"]
        return cls(
            found["counts"],
            began,
            ended,
            found["event"],
            found["answer"],
            {Key(pk, sk): item for pk, sk, item in found["read"]},
            {Key(pk, sk): item for pk, sk, item in found["written"]},
            {(shard, after and int(after)): records for shard, after, records in found["records"]},
            found["parents"],
        )


def _plain(value: object) -> Mapping[str, str]:
    if isinstance(value, bytes):
        return {_BYTES: base64.b64encode(value).decode()}
    raise TypeError(f"{type(value).__name__} is not kept")


def _whole(found: dict[str, Any]) -> Any:
    """Binary values as they were; an attribute of this name has a type, so it is no text."""
    text = found.get(_BYTES) if len(found) == 1 else None
    return base64.b64decode(text) if isinstance(text, str) else found
