"""Keeps one batch in so many, for the releases to come: they compute it again before they are deployed."""

import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final
from zlib import crc32

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from edgewise import Table, aws, clock, rfc_3339
from edgewise.aggregates.catalog import Catalog
from edgewise.errors import PassingError
from edgewise.failures import PoisonError, sorted_out
from edgewise.freshness.telling import Teller
from edgewise.observability import logger
from edgewise.stream import changes, windows
from edgewise.stream.invocation import Remaining, absorb, shard_of
from edgewise.stream.keeping import NotedRereading, NotedTable
from edgewise.stream.kept import KeptBatch
from functions import announced
from functions.bucket import Bucket

# Below which all batches are, in a bucket of theirs.
PREFIX: Final = "batches/"
# What is larger is not kept; so is nothing of an invocation that has less time left to store it: it may have ended a
# recount early for lack of time, and a release that computes it again has all the time that there is.
MOST_BYTES: Final = 5_000_000
STORING_MS: Final = 40_000
# The batch is absorbed, so nobody waits for this for long.
_CONFIG: Final = Config(connect_timeout=2, read_timeout=5, retries={"total_max_attempts": 2})


@cache
def _client() -> Any:
    return aws.client("s3", _CONFIG)


class Keeper:
    """Keeps one batch in `one_in` in a bucket; `s3` is a client where it is."""

    def __init__(self, one_in: int, bucket: str, s3: Any = None) -> None:
        self._one_in, self._name, self._s3 = one_in, bucket, s3

    def absorb(
        self,
        catalog: Catalog,
        table: Table,
        teller: Teller,
        event: dict[str, Any],
        context: Remaining,
        spoilt: Callable[[], bool] = lambda: False,
    ) -> dict[str, Any]:
        """Absorb one batch of one shard (edgewise/stream/invocation.py); it is kept if it is one of those.

        Whatever stands in the way of keeping it, the batch is absorbed. `spoilt`: whether something has happened to it
        in the end that is in nothing of what it has read.
        """
        if not self.keeps(event):
            return absorb(catalog, table, teller, shard_of, event, context)
        noted, rereading, began = NotedTable(table), NotedRereading(), clock.now()
        # A new one, so that what it knows of the shard is read, and can be kept.
        answer = absorb(catalog, noted, Teller(), shard_of, event, context, rereading=rereading.noting)
        kept = KeptBatch.of(announced.COUNTS, (began, clock.now()), event, answer, noted, rereading)
        try:
            with sorted_out():
                why = noted.torn or _spoilt(spoilt, context)
                told = {"why": why} if why else self._stored(kept)
        except (PoisonError, PassingError, BotoCoreError, ClientError, OSError, MemoryError) as error:
            told = {"why": str(error)}
        logger.info("not kept" if "why" in told else "kept", **told)
        return answer

    def keeps(self, event: Mapping[str, Any]) -> bool:
        """Whether a batch is one of those that are kept: the same one each time that it is delivered.

        Of what an idle table's heartbeats are, nothing is: they change no number.
        """
        records = event["Records"]
        if not records and not windows.size(event.get("state") or {}):
            return False
        first = str(changes.number(records[0])) if records else str(event.get("window"))
        if crc32(f"{event.get('shardId')} {first}".encode()) % self._one_in:
            return False
        return not records or len(records) > len(changes.heartbeats(records))

    def _stored(self, kept: KeptBatch) -> dict[str, Any]:
        """Store a batch; returns what to log of it."""
        started, packed = time.monotonic(), kept.packed
        if len(packed) > MOST_BYTES:
            return {"why": f"it has {len(packed)} bytes"}
        key = f"{PREFIX}{rfc_3339(kept.began)}-{shard_of(kept.event)}.json.gz"
        Bucket(self._name, self._s3 or _client()).write(key, packed)
        return {"key": key, "bytes": len(packed), "took_ms": round((time.monotonic() - started) * 1000)}


def _spoilt(spoilt: Callable[[], bool], context: Remaining) -> str:
    """Why a batch is not kept, though it could be computed again from what it has read; empty: it is kept."""
    if spoilt():
        return "a fault has struck it"
    return "" if context.get_remaining_time_in_millis() >= STORING_MS else "no time is left"


def keeper(keeps: str) -> Keeper | None:
    """Who keeps batches, as ConsumerSettings says; None: nobody."""
    one_in, _, bucket = keeps.partition(" ")
    return Keeper(int(one_in), bucket) if bucket else None
