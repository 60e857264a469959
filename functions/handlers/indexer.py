"""The only writer of the search index: takes hints from their queue, and writes what the table holds now."""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table
from edgewise.observability import logger, metrics, spent
from functions import startup
from functions.catalog import WATCHED
from functions.search import hints, indexes
from functions.search.hints import HintQueue
from functions.search.indexing import Indexer
from functions.settings import IndexerSettings


@cache
def settings() -> IndexerSettings:
    """The function's settings."""
    return IndexerSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@cache
def indexer() -> Indexer:
    """Writes to the index."""
    index = indexes.writer(settings().search_index)
    return Indexer(table(), WATCHED, index, HintQueue(settings().search_queue_url))


@logger.inject_lambda_context
@metrics.log_metrics
def handler(event: dict[str, Any], _context: LambdaContext) -> None:
    """Index what a batch of messages names; if anything fails, all of it comes again."""
    began = time.monotonic()
    table().usage.reset()
    records = event["Records"]
    done = indexer().take([hints.message(each["body"]) for each in records])
    metrics.add_metric("Indexed", MetricUnit.Count, done.things)
    metrics.add_metric("NotIndexed", MetricUnit.Count, done.set_aside)
    logger.info("indexed", messages=len(records), **done._asdict(), **spent(began, table().usage.figures()))


startup.finish(table)
