"""The metrics that the functions of a deployment count, by running what counts them, as CloudWatch reads them."""

import io
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

from edgewise.dynamodb.usage import Usage
from edgewise.observability import metrics
from edgewise.stream import invocation, telling
from edgewise.stream.quarantine import Entry
from edgewise.stream.sweep import Swept
from functions.handlers import batch_run, indexer, sweeper
from functions.search.indexing import Indexed
from functions.systems.chat.system import ROOM
from functions.systems.checks.entity import Figures
from functions.web import told
from tests.infra.conftest import Deployment
from tests.support.cloudwatch import Metric

Number = tuple[Metric, float]
NO_TABLE: Final[Any] = None
CONTEXT: Final[Any] = SimpleNamespace(
    function_name="f",
    memory_limit_in_mb=1,
    invoked_function_arn="arn",
    aws_request_id="1",
    get_remaining_time_in_millis=lambda: 1e6,
)


def counted(deployment: Deployment, function: str, run: Callable[[], None]) -> list[Number]:
    """What a function of the deployment counts while it runs this."""
    variables = deployment.functions()[function]["Environment"]["Variables"]
    names = {
        "namespace": variables["POWERTOOLS_METRICS_NAMESPACE"],
        "service": variables["POWERTOOLS_SERVICE_NAME"],
    }
    printed = io.StringIO()
    metrics.clear_metrics()
    with patch.multiple(metrics.provider, **names), redirect_stdout(printed):
        run()
        if metrics.metric_set:
            metrics.flush_metrics()
    return list(_embedded(printed.getvalue()))


def _embedded(printed: str) -> Iterator[Number]:
    """The numbers in what a function has printed, in the embedded metric format."""
    for line in printed.splitlines():
        if '"_aws"' not in line:
            continue
        found = json.loads(line)
        for directive in found["_aws"]["CloudWatchMetrics"]:
            (names,) = directive["Dimensions"]
            dimensions = frozenset((name, found[name]) for name in names)
            for each in directive["Metrics"]:
                values = found[each["Name"]]
                for value in values if isinstance(values, list) else [values]:
                    yield (directive["Namespace"], each["Name"], dimensions), value


def quarantining(records: int) -> Callable[[], None]:
    """A reader sets so many records aside."""

    def run() -> None:
        entries = [Entry({"eventID": str(n)}, "unclear") for n in range(records)]
        with patch.object(telling, "quarantine", lambda _table, _shard, *entered: entered):
            telling.set_aside(NO_TABLE, "shard", *entries)

    return run


def sweeping(level: int) -> Callable[[], None]:
    """The sweeper finds so many records in quarantine."""

    def run() -> None:
        swept = Swept(seen=0, removed=0, taken_up=0, complete=True)
        fakes: Mapping[str, Any] = {
            "sweep": lambda *_: swept,
            "register": lambda _: SimpleNamespace(count=level),
            "table": lambda: None,
        }
        with patch.multiple(sweeper, **fakes):
            sweeper.handler({}, CONTEXT)

    return run


def lacking(aggregates: int) -> Callable[[], None]:
    """The consumer meets so many aggregates that can't take a record."""
    return lambda: invocation._tell_of({ROOM(f"room-{n}"): "too long" for n in range(aggregates)})


def leaving_out(items: int) -> Callable[[], None]:
    """A request reads a list with so many items that nobody understands."""
    usage = Usage(left_out=[f"key-{n}" for n in range(items)])
    return lambda: told.tell({"requestContext": {}}, 200, usage, time.monotonic())


def indexing(unclear: int) -> Callable[[], None]:
    """The indexer reads things, of which it can't understand so many."""

    def run() -> None:
        taking = SimpleNamespace(take=lambda _: Indexed(things=10, set_aside=unclear))
        fakes: Mapping[str, Any] = {
            "indexer": lambda: taking,
            "table": lambda: SimpleNamespace(usage=Usage()),
        }
        with patch.multiple(indexer, **fakes):
            indexer.handler({"Records": []}, CONTEXT)

    return run


def checking(wrong: int = 0, unreadable: int = 0) -> Callable[[], None]:
    """A check of the table ends, and has found so much."""
    counts = {"unsettled": 0, "busy": 0, "unreadable": unreadable}
    figures = Figures(counts, differences={"wrong": wrong, "follows": 0})
    return lambda: batch_run._tell(SimpleNamespace(kind="reconcile"), figures)  # type: ignore[arg-type]
