"""Keeps the aggregates of a table that is there: one construct wires a consumer to its stream."""

from typing import Final

from aws_cdk import Duration
from aws_cdk.aws_iam import IGrantable
from aws_cdk.aws_lambda import EventSourceMapping, Function
from aws_cdk.aws_sns import ITopic
from constructs import Construct

from edgewise.aggregates.catalog import DeclarationError
from edgewise.cdk import alarms, rights, tables
from edgewise.cdk.calls import BEATS, SWEEPS, call_every
from edgewise.cdk.lost_records import LostRecords
from edgewise.cdk.reading import read_stream, window
from edgewise.cdk.rights import AnyTable
from edgewise.own.consumer import BEAT, STREAM, STREAM_BESIDE, SWEEP, Consumer
from edgewise.own.table import BESIDE, TABLE

# An invocation begins no write in its last 40 seconds, and reads nothing more in its last 55.
LEAST_TIMEOUT: Final = Duration.minutes(2)
NAMESPACE: Final = "Edgewise"
# What `cdk -c` says on an emulator, whose IAM knows no keys.
EMULATOR: Final = "edgewise:emulator"


class ExactAggregates(Construct):
    """Lets a function, whose handler is this `consumer`, keep the aggregates of a table.

    The function gets the table's stream, a bucket for what it can't take in 23 hours, an hourly call, its environment,
    and the rights that it needs; `topic` is told when an alarm rings, and when it is over. `operators` is the function
    for people, whose handler is the consumer's `operators`: whoever may invoke it may discard and repair. `aggregates`
    is the table that has the aggregates: the table itself, or a new one beside it. `heartbeats`: whether each shard of
    the stream gets one a minute, so that answers say until when they hold every change: that costs two write units
    each, and a call. Raises DeclarationError with the reason for what can't be exact; synthesis refuses indexes, also
    later ones, that collide with the engine's items.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        table: AnyTable,
        consumer: Consumer,
        function: Function,
        operators: Function,
        topic: ITopic,
        heartbeats: bool = False,
    ) -> None:
        super().__init__(scope, construct_id)
        if not isinstance(consumer, Consumer):
            raise DeclarationError(f"consumer must be what consumer(...) gives, and not {consumer!r}")
        if operators.node.path == function.node.path:
            raise DeclarationError(f"{operators.node.path}: operators must be a function of its own")
        for each in (function, operators):
            _check_timeout(each)
        self._own, self._emulator = consumer.table, bool(self.node.try_get_context(EMULATOR))
        tables.check_keys(table, self._own)
        self.node.add_validation(tables.Collisions(table, self._own))
        streams = {"stream": tables.stream_of(table)}
        if self._own.has_room:
            self.aggregates = table
            tables.index(table)
        else:
            self.aggregates = tables.beside(self, "table", table.encryption_key)
            streams["stream-of-aggregates"] = tables.stream_of(self.aggregates)
        self._equip(function, table, marks=False)
        self._equip(operators, table, marks=bool(consumer.run))
        mappings = self._wire(function, streams)
        if heartbeats:
            self._beat(function)
        watched = alarms.of_consumer(function, mappings, NAMESPACE, self.node.path, heartbeats=heartbeats)
        for name, rule, metrics in watched:
            # Emulators know no metric math.
            if not (rule.math and self._emulator):
                alarms.ring(self, name, rule, metrics, alarms.Told(rule.says, [topic]))

    def grant_read(self, grantee: IGrantable) -> None:
        """Let somebody read the aggregates."""
        for statement in rights.of_reader(self.aggregates, emulator=self._emulator):
            grantee.grant_principal.add_to_principal_policy(statement)
        if self.aggregates.encryption_key:
            self.aggregates.encryption_key.grant_decrypt(grantee)

    def _equip(self, function: Function, table: AnyTable, *, marks: bool) -> None:
        environment = {
            TABLE: table.table_name,
            BESIDE: "" if self._own.has_room else self.aggregates.table_name,
            "POWERTOOLS_METRICS_NAMESPACE": NAMESPACE,
            "POWERTOOLS_SERVICE_NAME": self.node.path,
        }
        for name, value in environment.items():
            function.add_environment(name, value)
        allowed = rights.of_consumer(self._own, table, self.aggregates, marks=marks, emulator=self._emulator)
        for statement in allowed:
            function.add_to_role_policy(statement)
        if table.encryption_key:
            table.encryption_key.grant_encrypt_decrypt(function)

    def _wire(self, function: Function, streams: dict[str, str]) -> dict[str, EventSourceMapping]:
        lost = LostRecords(self, "lost", emulator=self._emulator)
        lost.tell(function, lost)
        for name, stream in zip((STREAM, STREAM_BESIDE), (*streams.values(), ""), strict=False):
            function.add_environment(name, stream)
        long = window(emulator=self._emulator)
        mappings = {
            each: read_stream(self, each, function, streams[each], lost, tumbling_window=long) for each in streams
        }
        call_every(self, "sweeps", function, SWEEPS, SWEEP)
        return mappings

    def _beat(self, function: Function) -> None:
        if not self._own.has_room:
            why = "heartbeats go through the stream of the table, in which the engine may write nothing"
            raise DeclarationError(f"{self.node.path}: {why}: its views are kept apart")
        call_every(self, "heartbeats", function, BEATS, BEAT)


def _check_timeout(function: Function) -> None:
    if function.timeout is None or function.timeout.to_seconds() < LEAST_TIMEOUT.to_seconds():
        raise DeclarationError(f"{function.node.path}: its timeout must be {LEAST_TIMEOUT.to_human_string()} or more")
