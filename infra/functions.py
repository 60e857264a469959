"""Every function: its permissions and its size, one row each; and the one factory that makes them."""

from dataclasses import dataclass
from typing import Final

from aws_cdk import CfnOutput, Duration
from aws_cdk.aws_dynamodb import ITableV2
from aws_cdk.aws_iam import PolicyStatement, Role, ServicePrincipal
from aws_cdk.aws_lambda import Function, Tracing
from aws_cdk.aws_logs import LogGroup
from constructs import Construct

from functions.catalog import SYSTEMS, module_of
from functions.dynamodb.schema import BY_NUMBER, BY_TARGET, BY_VALUE, Index
from functions.settings import HTTP_TIMEOUT_SECONDS, Settings
from functions.system import System
from infra.bundle import RUNTIME, function_code
from infra.nag import acknowledge
from infra.settings import InfraSettings

METRICS_NAMESPACE: Final = "Edgewise"


@dataclass(frozen=True)
class FunctionSpec:
    """One function: its permissions on the table, and its size.

    `table_actions` are DynamoDB actions on the table itself; `queried` are the indexes it may Query.
    Memory also buys processor time: 1,769 MB correspond to one whole processor.
    """

    table_actions: tuple[str, ...] = ()
    queried: tuple[Index, ...] = ()
    memory_mb: int = 1024
    timeout_s: int = HTTP_TIMEOUT_SECONDS


def _of(system: System) -> FunctionSpec:
    return FunctionSpec(system.table_actions, system.queried, system.memory_mb)


FUNCTIONS: Final = {
    **{system.name: _of(system) for system in SYSTEMS},
    # A whole processor: one shard can bring 1,000 records a second. Long enough to outlast a throttled table; the last
    # part of the time is reserved for writes under way (RESERVE_MS).
    "edge_aggregator": FunctionSpec(("Query", "GetItem", "BatchGetItem", "PutItem"), memory_mb=1769, timeout_s=300),
    # Long enough for thousands of writes, hundreds of them a second.
    "cascade": FunctionSpec(
        ("Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "ConditionCheckItem"),
        queried=(BY_TARGET,),
        timeout_s=120,
    ),
    # The cascade's work and the consumer's writes: 1,000 records may touch thousands of aggregates.
    "last_line": FunctionSpec(
        ("Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "ConditionCheckItem"),
        queried=(BY_TARGET,),
        timeout_s=300,
    ),
    "sweeper": FunctionSpec(("GetItem", "BatchGetItem", "DeleteItem"), queried=(BY_VALUE,), timeout_s=120),
    # The work of the stream's readers, one record after the other, and every path to an aggregate's sources.
    "redrive": FunctionSpec(
        ("Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "ConditionCheckItem"),
        queried=(BY_VALUE, BY_TARGET, BY_NUMBER),
        timeout_s=600,
    ),
}


def make_function(
    scope: Construct, name: str, table: ITableV2, environment: Settings, settings: InfraSettings
) -> Function:
    """The function of the row `name`, with its log group, its own role and an output with its physical name."""
    spec = FUNCTIONS[name]
    logs = LogGroup(scope, f"{name}-logs", retention=settings.log_retention, removal_policy=settings.removal_policy)
    function = Function(
        scope,
        name,
        description=f"edgewise {settings.stage}: {name}",
        runtime=RUNTIME,
        architecture=settings.architecture,
        handler=f"{module_of(name)}.handler",
        code=function_code(settings.wheel_platform),
        memory_size=spec.memory_mb,
        timeout=Duration.seconds(spec.timeout_s),
        environment=environment.to_env() | _powertools(name),
        log_group=logs,
        tracing=Tracing.ACTIVE,
        role=_role(scope, name, logs, _table_rights(spec, table)),
    )
    acknowledge(function, "AwsSolutions-L1", "Python 3.11 is the interpreter that every test runs on")
    CfnOutput(scope, f"{''.join(map(str.capitalize, name.split('_')))}FunctionName", value=function.function_name)
    return function


def _powertools(name: str) -> dict[str, str]:
    return {
        "POWERTOOLS_SERVICE_NAME": name,
        "POWERTOOLS_METRICS_NAMESPACE": METRICS_NAMESPACE,
        "POWERTOOLS_LOG_LEVEL": "INFO",
    }


def _table_rights(spec: FunctionSpec, table: ITableV2) -> list[PolicyStatement]:
    rights = []
    if spec.table_actions:
        rights.append(PolicyStatement(actions=_dynamodb(spec.table_actions), resources=[table.table_arn]))
    if spec.queried:
        indexes = [f"{table.table_arn}/index/{index.name}" for index in spec.queried]
        rights.append(PolicyStatement(actions=["dynamodb:Query"], resources=indexes))
    return rights


def _dynamodb(actions: tuple[str, ...]) -> list[str]:
    return [f"dynamodb:{action}" for action in actions]


def _role(scope: Construct, name: str, logs: LogGroup, rights: list[PolicyStatement]) -> Role:
    """A role without AWS's managed policy, which would let the function write to every log group."""
    role = Role(scope, f"{name}-role", assumed_by=ServicePrincipal("lambda.amazonaws.com"))
    logs.grant_write(role)
    for statement in rights:
        role.add_to_policy(statement)
    acknowledge(role, "AwsSolutions-IAM5[Resource::*]", "X-Ray's PutTraceSegments supports no resources: tracing only")
    return role
