"""Records that no invocation took for so long that Lambda gave them up: events that it put into a bucket, whole."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import boto3

from functions.aggregates import keys
from functions.aggregates.aggregate import Aggregate, Batch, Entry
from functions.aggregates.catalog import Catalog
from functions.aggregates.ids import AggregateId
from functions.aggregates.stored import aggregate_item
from functions.dynamodb.table import Table
from functions.failures import PoisonError, sorted_out
from functions.stream import writer
from functions.stream.changes import Record
from functions.stream.register import register


@dataclass(frozen=True)
class Lost:
    """One event that was given up. `shard` is None if the reader's events do not name it; `state` is its window's."""

    shard: str | None
    records: Sequence[Record]
    state: Any


@cache
def client() -> Any:
    """The client for the bucket."""
    return boto3.client("s3")


def read(bucket: str, key: str) -> Lost:
    """The event in an object as Lambda writes it: a description, and the event in it as a text."""
    described = json.loads(client().get_object(Bucket=bucket, Key=key)["Body"].read())
    event = json.loads(described["payload"])
    return Lost(event.get("shardId"), event["Records"], event.get("state") or {})


def note(table: Table, catalog: Catalog, lane: str, batch: Batch, why: str, may_go_on: Callable[[], bool]) -> int:
    """Note on all aggregates why they lack what these entries would have changed; how many were noted now.

    Edges and slots that lack something would have been told by the stream, so what they feed lacks it too, and so on,
    rank after rank. May be repeated after any step. Raises what writer.apply does.
    """
    held, by_edges, noted = register(table).held, False, 0
    while batch:
        done = writer.deprive(table, lane, batch, held, may_go_on, why, by_edges=by_edges)
        noted += len(done.lacking)
        batch, by_edges = _fed_by(catalog, _lacking(table, catalog, batch), lane), True
    return noted


def _lacking(table: Table, catalog: Catalog, batch: Batch) -> Batch:
    """Those of the aggregates that feed others and lack something."""
    feeding = {keys.aggregate(about): about for about in batch if about.type in catalog.delivered_types}
    stored = table.get_many(list(feeding), consistent=True)
    return {feeding[key]: batch[feeding[key]] for key, item in stored.items() if "Lacks" in item}


def _fed_by(catalog: Catalog, feeding: Batch, lane: str) -> Batch:
    """What the aggregates would feed if they had these entries: each with the place of the last one."""
    fed: dict[AggregateId, list[Entry]] = {}
    for about, entries in feeding.items():
        for aggregate_id, observed in _contributions(catalog, about, entries, lane):
            fed[aggregate_id] = [Entry(entries[-1].mark, observed, {})]
    return fed


def _contributions(catalog: Catalog, about: AggregateId, entries: Sequence[Entry], lane: str) -> Iterator[Any]:
    """What a new one would contribute that has these entries; those that take something away would add it."""
    added = [Entry(entry.mark, {**entry.removed, **entry.added}, {}) for entry in entries]
    with suppress(PoisonError), sorted_out():
        whole = Aggregate(about).absorb(lane, added, entries[-1].mark.at)
        assert whole is not None
        yield from catalog.contributions_of(aggregate_item(whole.aggregate)).items()
