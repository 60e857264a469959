"""The configuration of every function, one row each, and the one factory that creates them."""

from dataclasses import dataclass
from typing import Final

from aws_cdk import CfnOutput, Duration
from aws_cdk.aws_dynamodb import ITableV2
from aws_cdk.aws_iam import PolicyStatement, Role, ServicePrincipal
from aws_cdk.aws_lambda import Function, ILayerVersion, Tracing
from aws_cdk.aws_logs import LogGroup
from constructs import Construct

from functions.catalog import SERVICE, SYSTEMS, module_of
from functions.routes import ROUTES
from functions.settings import HTTP_TIMEOUT_SECONDS, Settings
from infra.assets import dependencies, function_code, runtime, search_engine
from infra.bundle import BREAKABLE, SEARCHING
from infra.nag import acknowledge
from infra.rights import RIGHTS
from infra.settings import InfraSettings
from infra.table_policy import statements


@dataclass(frozen=True)
class FunctionSpec:
    """The size of one function. Memory also determines CPU: 1,769 MB are one full vCPU."""

    memory_mb: int = 1024
    timeout_s: int = HTTP_TIMEOUT_SECONDS


FUNCTIONS: Final = {
    **{system.name: FunctionSpec(system.memory_mb) for system in SYSTEMS},
    # A full vCPU: one shard can bring 1,000 records per second. Long enough to outlast a throttled table; the last
    # part of it is kept for writes under way (RESERVE_MS).
    "edge_aggregator": FunctionSpec(memory_mb=1769, timeout_s=300),
    # Long enough for thousands of writes, hundreds of them a second.
    "cascade": FunctionSpec(timeout_s=120),
    # 1,000 records may touch thousands of aggregates.
    "last_line": FunctionSpec(timeout_s=300),
    "sweeper": FunctionSpec(timeout_s=120),
    # Some writes at once, and nobody waits for them.
    "heartbeat": FunctionSpec(memory_mb=256, timeout_s=30),
    "redrive": FunctionSpec(timeout_s=600),
    "socket": FunctionSpec(),
    "socket_authorizer": FunctionSpec(),
    "socket_sweeper": FunctionSpec(timeout_s=60),
    # A full vCPU: it signs each request to a connection. Long enough for one that the gateway does not answer.
    "pusher": FunctionSpec(memory_mb=1769, timeout_s=30),
    # It reads, indexes and stores all that ten messages name, or a megabyte of the table.
    "indexer": FunctionSpec(memory_mb=1769, timeout_s=60),
    # It waits for the bus.
    "outlet": FunctionSpec(memory_mb=256, timeout_s=HTTP_TIMEOUT_SECONDS),
    # Reads all that a job has found.
    "batch_run": FunctionSpec(timeout_s=600),
    # A thousand aggregates of a plan, each of which may be changing.
    "batch_repair": FunctionSpec(timeout_s=600),
    # It watches busy aggregates, of which each may need several looks.
    "batch_verify": FunctionSpec(timeout_s=600),
    # It stores the summaries in one file of a fill.
    "batch_publish": FunctionSpec(timeout_s=600),
}

# A fleet, or the table's stream, invokes these in every second: each traced second of a function costs 13 USD a month.
BUSY: Final = frozenset({"telemetry", "edge_aggregator", "cascade", "pusher", "heartbeat", "indexer", "outlet"})


def make_function(
    scope: Construct, name: str, table: ITableV2, environment: Settings, settings: InfraSettings
) -> Function:
    """The function of the row `name`, with its log group, its own role and an output with its physical name."""
    spec, traced = FUNCTIONS[name], settings.traces == "all" or name not in BUSY
    of = BREAKABLE.get(name, name) if settings.faults else name
    logs = LogGroup(scope, f"{name}-logs", retention=settings.log_retention, removal_policy=settings.removal_policy)
    function = Function(
        scope,
        name,
        description=f"edgewise {settings.stage}: {name}",
        runtime=runtime(),
        architecture=settings.architecture,
        handler=f"{module_of(of)}.handler",
        code=function_code(of),
        layers=_layers(scope, name, settings) if settings.layered else [],
        memory_size=spec.memory_mb,
        timeout=Duration.seconds(spec.timeout_s),
        environment=environment.to_env() | _powertools(name, settings),
        log_group=logs,
        tracing=Tracing.ACTIVE if traced else Tracing.DISABLED,
        role=_role(scope, name, logs, _table_policy(of, table, settings)),
    )
    if traced:
        assert function.role is not None
        because = "X-Ray's PutTraceSegments supports no resources: tracing only"
        acknowledge(function.role, "AwsSolutions-IAM5[Resource::*]", because)
    acknowledge(function, "AwsSolutions-L1", "it is the Python that bundles them, and ran every test")
    CfnOutput(scope, f"{''.join(map(str.capitalize, name.split('_')))}FunctionName", value=function.function_name)
    return function


def _layers(scope: Construct, name: str, settings: InfraSettings) -> list[ILayerVersion]:
    return [dependencies(scope, settings), *([search_engine(scope, settings)] if name in SEARCHING else [])]


def _powertools(name: str, settings: InfraSettings) -> dict[str, str]:
    return {
        "POWERTOOLS_SERVICE_NAME": SERVICE if name in ROUTES else name,
        "POWERTOOLS_METRICS_NAMESPACE": settings.metrics_namespace,
        "POWERTOOLS_LOG_LEVEL": "INFO",
    }


def _table_policy(name: str, table: ITableV2, settings: InfraSettings) -> list[PolicyStatement]:
    # The emulator passes no keys to IAM, so requests without keys must be allowed there, and nowhere else.
    return statements(RIGHTS[name], table, keys_are_told=not settings.emulator)


def _role(scope: Construct, name: str, logs: LogGroup, rights: list[PolicyStatement]) -> Role:
    """A role without AWS's managed policy, which would let the function write to every log group."""
    role = Role(scope, f"{name}-role", assumed_by=ServicePrincipal("lambda.amazonaws.com"))
    logs.grant_write(role)
    for statement in rights:
        role.add_to_policy(statement)
    return role
