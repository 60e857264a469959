"""The stage's dashboard: six questions, a row for each. docs/operations.md says what to do about an answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from aws_cdk import CfnOutput, Stack
from aws_cdk.aws_cloudwatch import (
    Dashboard,
    GraphWidget,
    HorizontalAnnotation,
    IMetric,
    IWidget,
    LogQueryVisualizationType,
    LogQueryWidget,
    MathExpression,
    Metric,
    TextWidget,
)
from aws_cdk.aws_lambda import Function
from constructs import Construct

from edgewise.cdk.alarms import FAILED, GIVEN_UP, INVOKED, PERIOD, UNDELIVERED, age
from functions.catalog import SERVICE
from infra import cascade, edge_stream, notices, push, search
from infra.api import ApiStack
from infra.backup.copies import OUTCOMES, copied
from infra.batch import stack as batch
from infra.cascade import CascadeStack
from infra.edge_stream import EdgeStreamStack
from infra.metrics import PARTS, SPENT, THROTTLED, counted, of_table
from infra.objectives import OBJECTIVES, Objective
from infra.queue import ReadQueue
from infra.search import SearchQueue
from infra.table import TableStack

WIDTH: Final = 24
# Those that run, and those that run or are reserved.
CONCURRENCY: Final = ("ConcurrentExecutions", "ClaimedAccountConcurrency")
READERS: Final = (edge_stream.NAME, cascade.NAME)
PROMISED: Final = "Is it as promised?"
COST: Final = "What does it cost?"
# What lines of the log say of each function, so that it needs no metric: a query is billed when somebody looks.
BY_FUNCTION: Final = {
    "Units by function": (
        "filter ispresent(write_units)",
        "stats sum(write_units) as writes, sum(read_units) as reads, count(*) as lines by function_name",
        "sort writes desc",
    ),
    "Cold starts": (
        "filter @message like /Init Duration: /",
        "parse @message /Init Duration: (?<init>[0-9.]+) ms/",
        "stats count(*) as starts, avg(init) as ms by @log",
        "sort starts desc",
    ),
}


class StageDashboard(Construct):
    """It stands in the API's stack, because what it shows of the others is there as long as the stage is."""

    def __init__(self, api: ApiStack, base: TableStack, edges: EdgeStreamStack, follow_ups: CascadeStack) -> None:
        super().__init__(api, "dashboard")
        self._settings, self._base, self._api, self._follow_ups = base.settings, base, api, follow_ups
        self._readers = {READERS[0]: edges.reader, READERS[1]: follow_ups.reader}
        # The names of dashboards are those of an account, whatever the region.
        name = f"{base.settings.prefix}-{Stack.of(self).region}"
        dashboard = Dashboard(self, "dashboard", dashboard_name=name)
        self._promise(dashboard)
        for question, widgets in self._rows().items():
            dashboard.add_widgets(TextWidget(markdown=f"## {question}", width=WIDTH, height=1))
            dashboard.add_widgets(*(_graph(title, shown, WIDTH // len(widgets)) for title, shown in widgets.items()))
            if question == COST:
                dashboard.add_widgets(*self._told())
        CfnOutput(api, "DashboardName", value=dashboard.dashboard_name)

    def _promise(self, dashboard: Dashboard) -> None:
        """The first row: of each objective, the percentage that is bad, and what of it a month may have."""
        dashboard.add_widgets(TextWidget(markdown=f"## {PROMISED}", width=WIDTH, height=1))
        of = self._of_objectives()
        dashboard.add_widgets(*(_budget(OBJECTIVES[name], metrics, WIDTH // len(of)) for name, metrics in of.items()))

    def _of_objectives(self) -> dict[str, dict[str, IMetric]]:
        """The metrics of each objective that the stage has, by the names in its math."""
        ages: dict[str, IMetric] = {name: age(reader) for name, reader in self._readers.items()}
        found: dict[str, dict[str, IMetric]] = {
            "api": {**self._api.http.bad},
            "queue": {"waiting": self._api.telemetry.age},
            "aggregates": {"consumer": ages[edge_stream.NAME]},
            "follow-ups": {"cascade": ages[cascade.NAME]},
            "complete": {"lacking": self._counted("IncompleteAggregates", edge_stream.NAME)},
        }
        if self._settings.push:
            sent, missed = (self._counted(each, notices.SENDER) for each in ("PushesSent", "PushesMissed"))
            found["push"] = {"sent": sent, "missed": missed}
        if self._settings.batch:
            found["exact"] = {"differing": self._counted("Differences", batch.NAME)}
        if self._follow_ups.hints:
            queue = self._follow_ups.hints.queue
            found["search"] = {"waiting": queue.metric_approximate_age_of_oldest_message(period=PERIOD)}
        return found

    def _rows(self) -> dict[str, dict[str, Sequence[IMetric]]]:
        return {
            "Is it exact?": self._exact(),
            "Does it fail?": self._failing(),
            "Is it late?": self._late(),
            COST: self._cost(),
            "Who is throttled?": self._throttled(),
        }

    def _exact(self) -> dict[str, Sequence[IMetric]]:
        return {
            "Records in quarantine": [
                self._counted("QuarantineLevel", edge_stream.SWEEPER, "Maximum"),
                *self._each("QuarantinedRecords", (*READERS, edge_stream.LAST_LINE)),
            ],
            "Aggregates that lack something, or are wrong": [
                *self._each("IncompleteAggregates", (edge_stream.NAME, edge_stream.LAST_LINE)),
                self._counted("WrongAggregates", edge_stream.OPERATOR),
            ],
            **self._checks(),
            "Records lost": [self._counted("LostRecords", edge_stream.LAST_LINE)],
            "Items refused, or left out of lists": [
                self._counted("ItemsRejected", SERVICE),
                self._counted("ItemsLeftOut", SERVICE),
            ],
        }

    def _checks(self) -> dict[str, Sequence[IMetric]]:
        """The checks of the whole table, of a stage that has them."""
        found = ("Differences", "Unsettled", "NeverAtRest", "UnreadableSources")
        shown = (*found, "ReconcilesDone", "FillsDone", "RunsFailed")
        repaired = self._counted("AggregatesRepaired", batch.REPAIR)
        checks = [*(self._counted(metric, batch.NAME) for metric in shown), repaired]
        return {"Checks of the whole table": checks} if self._settings.batch else {}

    def _failing(self) -> dict[str, Sequence[IMetric]]:
        errors = [each.metric_errors(period=PERIOD, label=name) for name, each in self._functions()]
        undelivered = [
            reader.metric(UNDELIVERED, statistic="Sum", period=PERIOD, label=name)
            for name, reader in self._readers.items()
        ]
        return {
            "Errors of functions": errors,
            "The API's answers 5xx": [self._api.http.failed],
            "Messages in dead-letter queues": [each.given_up for each in self._queues()],
            "Records given up, of all mappings of the account": [
                *map(_of_mappings, (FAILED, *GIVEN_UP.values())),
                *undelivered,
            ],
            **self._copied(),
        }

    def _copied(self) -> dict[str, Sequence[IMetric]]:
        """The copies in another region, of a stage that has them."""
        told = [copied(self._settings.prefix, outcome) for outcome in OUTCOMES]
        return {"Copies of the table": told} if self._settings.backup else {}

    def _late(self) -> dict[str, Sequence[IMetric]]:
        api = self._api.http.api
        return {
            "Age of the stream's oldest record, ms": [
                age(reader).with_(label=name) for name, reader in self._readers.items()
            ],
            "Age of changes when they are absorbed, ms": [
                self._counted("Freshness", edge_stream.NAME, statistic) for statistic in ("p50", "p99", "Maximum")
            ],
            "Age of the oldest telemetry message, s": [self._api.telemetry.age],
            "The API's answers, ms": [
                api.metric_latency(period=PERIOD, statistic=statistic, label=statistic) for statistic in ("p50", "p99")
            ],
            "Work done by the stream's readers": [
                _of_mappings(INVOKED),
                self._counted("RecordsDelivered", edge_stream.NAME),
                self._counted("AggregatesWritten", edge_stream.NAME),
                self._counted("FollowUps", cascade.NAME),
                self._counted("Alerts", cascade.NAME),
                self._counted("EmptiedAggregatesRemoved", edge_stream.SWEEPER),
            ],
            **self._pushed(),
            **self._searched(),
        }

    def _pushed(self) -> dict[str, Sequence[IMetric]]:
        """What subscribers were sent, of a stage that has any."""
        sent = [self._counted(metric, notices.SENDER) for metric in ("PushesSent", "PushesMissed")]
        noticed = [self._counted(metric, cascade.NAME) for metric in ("Notices", "NoticesMissed")]
        ended = self._counted("SocketsEnded", push.SWEEPER)
        return {"Sent to subscribers": [*noticed, *sent, ended]} if self._settings.push else {}

    def _searched(self) -> dict[str, Sequence[IMetric]]:
        """What the search index was told, of a stage that has one."""
        told = [self._counted("Hints", cascade.NAME), *(self._counted(each, search.INDEXER) for each in search.DONE)]
        return {"Told to the search index": told} if self._settings.search else {}

    def _cost(self) -> dict[str, Sequence[IMetric]]:
        return {
            "Write units": self._of_table(SPENT["written"]),
            "Read units": self._of_table(SPENT["read"]),
            "Units of the API and of each reader": [
                metric for name in ("WriteUnits", "ReadUnits") for metric in self._each(name, (SERVICE, *READERS))
            ],
            "Requests": [self._counted("Requests", SERVICE)],
            "Requests that failed as a whole": self._each("RequestsFailed", (edge_stream.NAME,)),
            "Invocations": [
                function.metric_invocations(period=PERIOD, label=name) for name, function in self._functions()
            ],
            "Duration, ms": [
                function.metric_duration(period=PERIOD, label=name) for name, function in self._functions()
            ],
        }

    def _throttled(self) -> dict[str, Sequence[IMetric]]:
        return {
            "Table and indexes": [metric for name in THROTTLED.values() for metric in self._of_table(name)],
            "Requests refused by status": [
                metric.with_(label=str(status)) for status, metric in self._api.http.refusals.items()
            ],
            "Functions": [function.metric_throttles(period=PERIOD, label=name) for name, function in self._functions()],
            "Invocations of the account at once": [_of_account(name) for name in CONCURRENCY],
            "Leases of callers' rates that failed": [self._counted("LeasesFailed", SERVICE)],
            "Rooms and lists that got more shards": [self._counted("Widened", SERVICE)],
        }

    def _told(self) -> list[IWidget]:
        groups = [function.log_group.log_group_name for _, function in self._functions()]
        width = WIDTH // len(BY_FUNCTION)
        return [
            LogQueryWidget(
                title=title,
                log_group_names=groups,
                query_lines=list(lines),
                view=LogQueryVisualizationType.TABLE,
                width=width,
            )
            for title, lines in BY_FUNCTION.items()
        ]

    def _functions(self) -> list[tuple[str, Function]]:
        return [*self._readers.items(), *self._api.functions.items()]

    def _queues(self) -> list[ReadQueue | SearchQueue]:
        """Those that the stage has."""
        optional = (self._follow_ups.notices, self._follow_ups.hints, self._follow_ups.events)
        return [self._api.telemetry, *(each for each in optional if each)]

    def _of_table(self, metric: str) -> list[IMetric]:
        return [
            of_table(self._base.table, metric, part).with_(label=f"{part.name if part else 'table'} {metric}")
            for part in PARTS
        ]

    def _each(self, metric: str, services: Iterable[str]) -> list[IMetric]:
        return [self._counted(metric, service) for service in services]

    def _counted(self, metric: str, service: str, statistic: str = "Sum") -> Metric:
        label = f"{service} {metric}" + ("" if statistic == "Sum" else f" {statistic}")
        return counted(self._settings, metric, service, statistic).with_(label=label)


def _of_account(metric: str) -> Metric:
    return Metric(namespace="AWS/Lambda", metric_name=metric, statistic="Maximum", period=PERIOD)


def _of_mappings(metric: str) -> IMetric:
    """A search: a mapping that reads a restored table has another id, and ids that are imported can't change."""
    found = f"""SEARCH('{{AWS/Lambda,EventSourceMappingUUID}} MetricName="{metric}"', 'Sum', {PERIOD.to_seconds()})"""
    return MathExpression(expression=found, label=metric, using_metrics={}, period=PERIOD)


def _budget(objective: Objective, metrics: Mapping[str, IMetric], width: int) -> GraphWidget:
    """What is not promised: 0 is as it should be."""
    bad = MathExpression(expression=objective.bad, label="%", using_metrics=dict(metrics), period=PERIOD)
    budget = HorizontalAnnotation(value=100 - objective.percent, label="a month may have")
    return GraphWidget(
        title=f"{objective.percent} %: {objective.says}", left=[bad], left_annotations=[budget], width=width
    )


def _graph(title: str, shown: Sequence[IMetric], width: int) -> GraphWidget:
    return GraphWidget(title=title, left=list(shown), width=width)
