"""What it takes to check a table: `.venv-spark/bin/python -m benchmarks.batch_job ITEMS [spark|process]`.

The export is of a table at rest, in which nothing is wrong: chat, telemetry and a graph, with all their aggregates. It
has the same items whenever it is made, about as many as asked for. Without a second word, both ways are measured.
"""

import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from pyspark.sql import SparkSession

from batch import exports, found, job
from batch.distributed import SparkBucket
from batch.folders import Folder
from batch.job import Bucket, Job
from batch.reconcile import Declared
from batch.rows import InProcess
from benchmarks.processes import Steps
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.rankings import roster
from edgewise.aggregates.rankings.codec import ranking_item
from edgewise.aggregates.rankings.declaration import RankingId, ranked
from edgewise.aggregates.rankings.floor import Ranking
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.attributes import Item
from edgewise.times import SECOND, from_rfc_3339
from functions.catalog import CATALOG
from functions.systems.chat import codec as chat
from functions.systems.chat.entity import Message
from functions.systems.graph import codec as graph
from functions.systems.graph.entity import GraphEdge, Node, NodeId
from functions.systems.telemetry import codec as telemetry
from functions.systems.telemetry.entity import Reading

INSTANT = "2026-11-23T00:00:00.000Z"
START, EVERY = from_rfc_3339("2026-10-01T00:00:00.000Z"), 300 * SECOND
PREFIX, ITEMS_A_FILE = "full/AWSDynamoDB/1", 10_000
# A town: no aggregate counts anything of two towns. Its items, about 22,000, are spread over several files.
MESSAGES, ROOMS, USERS = 5_000, 50, 250
READINGS, DEVICES, METRICS = 6_250, 25, ("temperature", "humidity", "wind")
NODES, EDGES = 750, 3_750


def town(number: int) -> list[Item]:
    """The items of a town, in a random order that is always the same."""
    dice = random.Random(number)
    sources = [*messages(dice, number), *readings(dice, number), *edges(dice, number)]
    items = [*sources, *aggregates(sources)]
    dice.shuffle(items)
    return items


def messages(dice: random.Random, of: int) -> Iterator[Item]:
    """Some users and rooms are much busier than others."""
    for at in range(MESSAGES):
        room, user = f"{of}-room-{_some(dice, ROOMS)}", f"{of}-user-{_some(dice, USERS)}"
        yield chat.message_item(Message(room, 0, user, START + at * SECOND, f"{at:026}", "one of many messages " * 3))


def readings(dice: random.Random, of: int) -> Iterator[Item]:
    """Each device reports every five minutes from a place of its own."""
    for number in range(READINGS):
        at, device = divmod(number, DEVICES)
        metrics = {name: Decimal(dice.randrange(-999, 9_999)) / 100 for name in METRICS}
        place = (f"Town {of}", f"Street {device // 5}", f"House {device}")
        yield telemetry.event_item(Reading(f"{of}-{device}", START + at * EVERY, f"{number:026}", place, metrics))


def edges(dice: random.Random, of: int) -> Iterator[Item]:
    """A random graph; it has no edge twice."""
    nodes = [NodeId("person", f"{of}-{number}") for number in range(NODES)]
    yield from (graph.node_item(Node(node, 1)) for node in nodes)
    for ends in sorted({(_some(dice, NODES), _some(dice, NODES)) for _ in range(EDGES)}):
        source, target = map(nodes.__getitem__, ends)
        weight = Decimal(dice.randrange(1_000)) / 100
        yield from graph.edge_items(GraphEdge(source, f"KNOWS{of}", target, weight))


def aggregates(sources: Sequence[Item]) -> Iterator[Item]:
    """Everything that the sources feed, counted as a check counts it: this is about how long it takes."""
    each = InProcess(list(found.in_items(CATALOG, sources))).merged(found.merged)
    for rank in found.ranks(CATALOG):
        fed = found.in_counted(CATALOG, rank, found.feeding(CATALOG, each.all()))
        each = each.with_rows(InProcess(list(fed))).merged(found.merged)
    stored = [
        Aggregate(row.name.of(CATALOG), version=1, cells=row.from_sources).to_put()
        for _, row in each.all()
        if row.name and row.from_sources
    ]
    yield from map(aggregate_item, stored)
    yield from ranked_items([one for one in stored if one.id.kind.ranked])


def ranked_items(stored: Sequence[Aggregate]) -> Iterator[Item]:
    """The rankings of these aggregates, and their rosters."""
    yield from roster.parts(stored)
    numbers = defaultdict[RankingId, dict[str, Decimal | None]](dict)
    for one in stored:
        for ranking, member in ranked(one.id):
            numbers[ranking][member] = ranking.number(one.cells)
    for ranking, of in numbers.items():
        yield ranking_item(Ranking(ranking, version=1).judging(of).pruned(of, frozenset()))


def _some(dice: random.Random, number: int) -> int:
    return int(number * dice.random() ** 2)


def measure(items: int, ways: Sequence[str]) -> None:
    """Write the export, and check it in each way."""
    with tempfile.TemporaryDirectory() as folder:
        steps = Steps()
        towns = max(round(items / len(town(0))), 1)
        lines = (exports.full_line(item) for number in range(towns) for item in town(number))
        exports.written(Folder(Path(folder)).write, PREFIX, [INSTANT], lines, ITEMS_A_FILE)
        steps.tell("wrote the export")
        for way in ways:
            print(f"\n{way}:")
            steps = Steps()
            check(bucket(way, folder), steps, f"{way}-result")


def bucket(way: str, folder: str) -> Bucket:
    """The bucket, and with it how the job runs."""
    if way == "process":
        return Folder(Path(folder))
    settings = {"spark.ui.enabled": "false", "spark.driver.memory": "4g"}
    spark = SparkSession.builder.config(map=settings).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return SparkBucket(spark.sparkContext, Path(folder).as_uri())


def check(of: Bucket, steps: Steps, out: str) -> None:
    """Run the job, which must find that nothing is wrong."""
    checked, summary = job.run(of, Job("benchmark", PREFIX, None, out), steps.tell, Declared())
    seconds = steps.total(f"in all: {summary['items']:,} items, {checked.aggregates:,} aggregates")
    print(f"{summary['items'] / seconds:,.0f} items a second")
    if differing := [*checked.differing, *checked.astray]:
        sys.exit(f"{len(differing):,} differ, first {differing[0]}")


if __name__ == "__main__":
    measure(int(sys.argv[1]), sys.argv[2:] or ("process", "spark"))
