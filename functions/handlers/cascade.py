"""The stream's second reader: finishes the follow-ups of changes (see edgewise.stream.follow_ups).

It also passes on what subscribers want to know: a shard bears no third reader. It only names what has changed, and
sends nothing itself, so no client can hold it up. And it tells the stage's topic of alerts, the search index of what it
may lack, the world outside of what the stage's outlet names, and answers how far it is.
"""

import time
from collections.abc import Sequence
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import Table, alerting, clock
from edgewise.observability import logger, metrics, spent
from edgewise.stream.changes import Record
from edgewise.stream.finishing import finish, tell_how_far
from edgewise.stream.telling import delivered
from functions import startup
from functions.catalog import FOLLOW_UPS, OUTLETS, TOPICS, WATCHED
from functions.outlet.queue import EventQueue
from functions.push import notices
from functions.push.alerts import AlertTopic
from functions.push.interest import Interest
from functions.push.pace import Pace
from functions.push.queue import NotPassedOnError, Queue
from functions.search.hints import HintQueue
from functions.settings import NO_OUTLET, NO_PUSH, NO_SEARCH, NO_TOPIC, STATEMENTS, CascadeSettings


@cache
def settings() -> CascadeSettings:
    """The function's settings."""
    return CascadeSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name, statements=settings().writes == STATEMENTS)


@cache
def queue() -> Queue | None:
    """Where notices go; None if nobody can subscribe."""
    url = settings().push_queue_url
    return None if url == NO_PUSH else Queue(url)


@cache
def topic() -> AlertTopic | None:
    """Where alerts are told; None: nowhere."""
    arn = settings().alert_topic_arn
    return None if arn == NO_TOPIC else AlertTopic(arn)


@cache
def search() -> HintQueue | None:
    """Where hints go to the search index; None if there is none."""
    url = settings().search_queue_url
    return None if url == NO_SEARCH else HintQueue(url)


@cache
def outlet() -> EventQueue | None:
    """Where events go that tell the world outside; None: nowhere."""
    url = settings().outlet_queue_url
    return None if url == NO_OUTLET else EventQueue(url)


@cache
def interest() -> Interest:
    """What anybody subscribes to."""
    return Interest()


@cache
def pace() -> Pace:
    """When the last notices were."""
    return Pace()


@logger.inject_lambda_context
@metrics.log_metrics
def handler(event: dict[str, Any], _context: LambdaContext) -> None:
    """Finish the follow-ups of one batch of changes.

    Transient errors are raised: Lambda delivers the batch again, and finished work is only checked, not repeated.
    """
    began = time.monotonic()
    table().usage.reset()
    noticed = announce(event["Records"])
    finished = finish(table(), FOLLOW_UPS, event["Records"])
    alerted = tell(event["Records"])
    hinted = hint(event["Records"])
    told = tell_outside(event["Records"])
    beats = tell_how_far(table(), event["Records"])
    if not 0 < len(event["Records"]) == beats:  # of an idle table's heartbeats, nobody needs a line each
        metrics.add_metric("FollowUps", MetricUnit.Count, finished)
        metrics.add_metric("Notices", MetricUnit.Count, noticed)
        metrics.add_metric("Alerts", MetricUnit.Count, alerted)
        metrics.add_metric("Hints", MetricUnit.Count, hinted)
        logger.info(
            "followed up",
            **delivered(event),
            finished=finished,
            noticed=noticed,
            alerted=alerted,
            hinted=hinted,
            told=told,
            **spent(began, table().usage.figures()),
        )


def announce(records: Sequence[Record]) -> int:
    """Pass on the changes that somebody subscribes to; returns how many notices were taken."""
    passed_on = queue()
    if passed_on is None:
        return 0
    found = [news for record in records for news in TOPICS.news(record)]
    if not found:
        return 0
    now = clock.now()
    interest().refresh(table(), now)
    due = list(notices.notices(found, interest(), pace(), now))
    try:
        passed_on.send(due)
    except NotPassedOnError as error:
        # Clients read now and then what they were not told of; follow-ups must not wait for a queue.
        pace.cache_clear()
        metrics.add_metric("NoticesMissed", MetricUnit.Count, error.left)
        logger.exception("notices missed")
        return len(due) - error.left
    return len(due)


def tell(records: Sequence[Record]) -> int:
    """Tell of the alerts whose items have changed; returns how many. If the topic fails, the batch comes again."""
    found = [crossing for record in records if (crossing := alerting.told(record))]
    to = topic() if found else None
    if to:
        to.publish(found)
    return len(found)


def hint(records: Sequence[Record]) -> int:
    """Name what the search index may lack; returns how many things. If the queue fails, the batch comes again."""
    to = search()
    found = WATCHED.hints(records) if to else []
    if to and found:
        to.send(found)
    return len(found)


def tell_outside(records: Sequence[Record]) -> int:
    """Pass on what the outlet tells; returns how many events. If the queue fails, the batch comes again."""
    to = outlet()
    if to is None:
        return 0
    from functions.outlet.events import events  # most stages have no outlet, and start without it

    if found := events(OUTLETS, settings().outlet.split(","), records):
        to.send(found)
    return len(found)


startup.finish(table)
