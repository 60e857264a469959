"""Records that no invocation processed before Lambda gave them up: it writes the whole event to a bucket."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from edgewise import aws
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.effects import Batch, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.open_hours import handing_on
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.table import Table
from edgewise.failures import PoisonError, sorted_out
from edgewise.stream import changes, writer
from edgewise.stream.changes import Record
from edgewise.stream.register import register


@dataclass(frozen=True)
class Lost:
    """One event that was given up. `shard` is None if the event does not name it; `state` is its window's state.

    `stream`: its ARN, empty if the event does not name it.
    """

    shard: str | None
    records: Sequence[Record]
    state: Any
    stream: str = ""


@cache
def client() -> Any:
    """The client for the bucket."""
    return aws.client("s3")


def read(bucket: str, key: str) -> Lost:
    """The event in an object written by Lambda: JSON with metadata, and the event as a string in `payload`."""
    described = json.loads(client().get_object(Bucket=bucket, Key=key)["Body"].read())
    event = json.loads(described["payload"])
    return Lost(event.get("shardId"), changes.in_order(event["Records"]), event.get("state") or {}, _stream(event))


def _stream(event: Any) -> str:
    """The stream that an event is of, which emulators tell by its records only."""
    return next((each["eventSourceARN"] for each in (event, *event["Records"]) if "eventSourceARN" in each), "")


def note(table: Table, catalog: Catalog, shard: str, batch: Batch, why: str, may_go_on: Callable[[], bool]) -> int:
    """Note on all aggregates of the batch why they lack these effects; returns how many were noted now.

    The stream would also have delivered the changes of edges, so the aggregates that they feed lack them too, and so
    on, rank by rank. This may be repeated after any step. Raises what writer.apply raises.
    """
    quarantined, by_edges, noted = register(table).quarantined, False, 0
    while batch:
        done = writer.deprive(table, shard, batch, quarantined, may_go_on, why, by_edges=by_edges)
        noted += len(done.lacking)
        batch, by_edges = _fed_by(catalog, _lacking(table, catalog, batch), shard), True
    return noted


def note_shared(table: Table, shard: str, shared: Batch, why: str, may_go_on: Callable[[], bool]) -> int:
    """The same for shared aggregates, to which carriers would have taken these effects.

    Carriers may have done so all the same, and whoever reads the shard again may still: nothing tells. Then too much is
    noted, but nothing is counted wrong.
    """
    quarantined = register(table).quarantined
    told = carrying.withheld(shared)
    return len(writer.deprive(table, shard, told, quarantined, may_go_on, why, by_edges=True).lacking)


def _lacking(table: Table, catalog: Catalog, batch: Batch) -> Batch:
    """The aggregates of the batch that feed others and lack something."""
    delivered = catalog.delivered_types
    feeding = {keys.of(about): about for about in batch if about.type in delivered}
    stored = table.get_many(list(feeding), consistent=True)
    return {feeding[key]: batch[feeding[key]] for key, item in stored.items() if "Lacks" in item}


def _fed_by(catalog: Catalog, feeding: Batch, shard: str) -> Batch:
    """What the aggregates would have fed with these effects; each fed effect has the checkpoint of the last one."""
    fed: dict[AggregateId, list[Effect]] = {}
    for about, effects in feeding.items():
        for aggregate_id, observed in _contributions(catalog, about, effects, shard):
            fed[aggregate_id] = [Effect(effects[-1].checkpoint, observed, {})]
        fed |= {each: list(nothing) for each, nothing in handing_on.withheld(about, effects).items()}
    return fed


def _contributions(catalog: Catalog, about: AggregateId, effects: Sequence[Effect], shard: str) -> Iterator[Any]:
    """What a new aggregate with these effects would contribute; removals count as additions, so as not to be missed."""
    added = [Effect(effect.checkpoint, {**effect.removed, **effect.added}, {}) for effect in effects]
    with suppress(PoisonError), sorted_out():
        whole = Aggregate(about).absorb(shard, added, effects[-1].checkpoint.at)
        assert whole is not None
        yield from catalog.contributions_of(aggregate_item(whole.aggregate)).items()
