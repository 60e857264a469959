"""What each function may do, action by action: a right more or less fails here.

The rights of a system that is not spelled out here are those that its access patterns need, and no others: another test
proves that they send what they say (tests/docs/test_generated.py).
"""

from collections.abc import Callable

import pytest

from docs.access_patterns import READS, WRITES
from docs.patterns.pattern import BatchGet, Request
from edgewise.dynamodb.queries import Query
from functions.routes import ROUTES
from functions.systems.proof.system import SYSTEM as PROOF
from tests.infra import iam
from tests.infra.conftest import CHECKED, TOLD, Deployment

# Functions that a fleet keeps busy are not traced, so they have no right to be.
TRACE = {"xray:PutTraceSegments *", "xray:PutTelemetryRecords *"}
# Whoever admits callers reads whose tokens are taken back, and notes what they have taken.
ADMITS = {"dynamodb:GetItem table", "dynamodb:PutItem table"}
LOST = {"s3:PutObject lost/*", "s3:ListBucket lost"}
SECRET = {"secretsmanager:GetSecretValue cursorsecret"}
PASSES_ON = {"sqs:SendMessage noticesqueue", "sqs:GetQueueAttributes noticesqueue", "sqs:GetQueueUrl noticesqueue"}
HINTS = {"sqs:SendMessage hintsqueue", "sqs:GetQueueAttributes hintsqueue", "sqs:GetQueueUrl hintsqueue"}
TELLS = {"sqs:SendMessage eventsqueue", "sqs:GetQueueAttributes eventsqueue", "sqs:GetQueueUrl eventsqueue"}
INDEX = {"s3:GetObject index/manifest", "s3:GetObject index/packs/*", "s3:ListBucket index"}
EXPECTED = {
    "telemetry": SECRET
    | {
        "logs:CreateLogStream telemetrylogs",
        "logs:PutLogEvents telemetrylogs",
        "dynamodb:PutItem table",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PartiQLInsert table",
        "dynamodb:Query table/index/GSI1",
        "sqs:ReceiveMessage telemetryqueue",
        "sqs:DeleteMessage telemetryqueue",
        "sqs:ChangeMessageVisibility telemetryqueue",
        "sqs:GetQueueAttributes telemetryqueue",
        "sqs:GetQueueUrl telemetryqueue",
    },
    "chat": TRACE
    | SECRET
    | {
        "logs:CreateLogStream chatlogs",
        "logs:PutLogEvents chatlogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:PutItem table",
        "dynamodb:BatchWriteItem table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI2",
    },
    "graph": TRACE
    | SECRET
    | {
        "logs:CreateLogStream graphlogs",
        "logs:PutLogEvents graphlogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:BatchWriteItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:ConditionCheckItem table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI2",
    },
    "walks": TRACE
    | SECRET
    | {
        "logs:CreateLogStream walkslogs",
        "logs:PutLogEvents walkslogs",
        "dynamodb:PutItem table",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
    },
    "orders": TRACE
    | SECRET
    | {
        "logs:CreateLogStream orderslogs",
        "logs:PutLogEvents orderslogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI2",
        "dynamodb:Query table/index/GSI3",
    },
    "games": TRACE
    | SECRET
    | {
        "logs:CreateLogStream gameslogs",
        "logs:PutLogEvents gameslogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI3",
    },
    "places": TRACE
    | SECRET
    | {
        "logs:CreateLogStream placeslogs",
        "logs:PutLogEvents placeslogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:Query table/index/GSI1",
    },
    "billing": TRACE
    | SECRET
    | {
        "logs:CreateLogStream billinglogs",
        "logs:PutLogEvents billinglogs",
        "dynamodb:Query table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:ConditionCheckItem table",
        "dynamodb:Query table/index/GSI2",
    },
    "audits": TRACE
    | SECRET
    | {
        "logs:CreateLogStream auditslogs",
        "logs:PutLogEvents auditslogs",
        "dynamodb:Query table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
    },
    "documents": TRACE
    | SECRET
    | {
        "logs:CreateLogStream documentslogs",
        "logs:PutLogEvents documentslogs",
        "cognito-idp:AdminGetUser identityusers",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:ConditionCheckItem table",
    },
    "checks": TRACE
    | SECRET
    | {
        "logs:CreateLogStream checkslogs",
        "logs:PutLogEvents checkslogs",
        "dynamodb:PutItem table",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:Query table/index/GSI1",
    },
    "operations": TRACE
    | SECRET
    | {
        "logs:CreateLogStream operationslogs",
        "logs:PutLogEvents operationslogs",
        "dynamodb:PutItem table",
        "cloudwatch:GetMetricData *",
        "cloudwatch:ListMetrics *",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI2",
        "dynamodb:Query table/index/GSI3",
    },
    "quarantine": TRACE
    | SECRET
    | {
        "logs:CreateLogStream quarantinelogs",
        "logs:PutLogEvents quarantinelogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:ConditionCheckItem table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI2",
    },
    "push": TRACE
    | SECRET
    | {
        "logs:CreateLogStream pushlogs",
        "logs:PutLogEvents pushlogs",
        "dynamodb:GetItem table",
        "dynamodb:PutItem table",
    },
    PROOF.name: TRACE
    | SECRET
    | {
        "logs:CreateLogStream prooflogs",
        "logs:PutLogEvents prooflogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
    },
    "api": TRACE | SECRET | {"logs:CreateLogStream apilogs", "logs:PutLogEvents apilogs"},
    "edge_aggregator": LOST
    | {
        "logs:CreateLogStream edgeaggregatorlogs",
        "logs:PutLogEvents edgeaggregatorlogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:PartiQLInsert table",
        "dynamodb:PartiQLUpdate table",
        "dynamodb:DescribeStream stream",
        "dynamodb:GetRecords stream",
        "dynamodb:GetShardIterator stream",
        "dynamodb:ListStreams stream",
    },
    "redrive": TRACE
    | {
        "logs:CreateLogStream redrivelogs",
        "logs:PutLogEvents redrivelogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:ConditionCheckItem table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI2",
        "dynamodb:Query table/index/GSI3",
    },
    "last_line": TRACE
    | {
        "logs:CreateLogStream lastlinelogs",
        "logs:PutLogEvents lastlinelogs",
        "s3:GetObject lost/*",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:ConditionCheckItem table",
        "dynamodb:Query table/index/GSI2",
    },
    "sweeper": TRACE
    | {
        "logs:CreateLogStream sweeperlogs",
        "logs:PutLogEvents sweeperlogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:Query table/index/GSI1",
    },
    "heartbeat": {
        "logs:CreateLogStream heartbeatlogs",
        "logs:PutLogEvents heartbeatlogs",
        "dynamodb:Query table",
        "dynamodb:PutItem table",
        "dynamodb:BatchWriteItem table",
        "dynamodb:DescribeStream stream",
        "sqs:SendMessage heartbeatslaterqueue",
        "sqs:ReceiveMessage heartbeatslaterqueue",
        "sqs:DeleteMessage heartbeatslaterqueue",
        "sqs:ChangeMessageVisibility heartbeatslaterqueue",
        "sqs:GetQueueAttributes heartbeatslaterqueue",
        "sqs:GetQueueUrl heartbeatslaterqueue",
    },
    "batch_repair": TRACE
    | {
        "logs:CreateLogStream batchrepairlogs",
        "logs:PutLogEvents batchrepairlogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:PartiQLInsert table",
        "dynamodb:PartiQLUpdate table",
        "dynamodb:ConditionCheckItem table",
        "dynamodb:Query table/index/GSI1",
        "s3:GetObject runs/runs/*/result/*",
    },
    "batch_publish": TRACE
    | {
        "logs:CreateLogStream batchpublishlogs",
        "logs:PutLogEvents batchpublishlogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:BatchWriteItem table",
        "dynamodb:DeleteItem table",
        "s3:GetObject runs/runs/*/result/*",
        "s3:ListBucket runs",
    },
    "batch_run": TRACE
    | {
        "logs:CreateLogStream batchrunlogs",
        "logs:PutLogEvents batchrunlogs",
        "dynamodb:GetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:BatchWriteItem table",
        "dynamodb:Query table/index/GSI1",
        "s3:GetObject runs/runs/*/result/*",
        "s3:ListBucket runs",
    },
    "batch_verify": TRACE
    | {
        "logs:CreateLogStream batchverifylogs",
        "logs:PutLogEvents batchverifylogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI2",
        "dynamodb:Query table/index/GSI3",
        "s3:GetObject runs/runs/*/result/*",
        "s3:PutObject runs/runs/*/result/*",
        "s3:ListBucket runs",
    },
    "alerts": TRACE
    | SECRET
    | {
        "logs:CreateLogStream alertslogs",
        "logs:PutLogEvents alertslogs",
        "dynamodb:GetItem table",
        "dynamodb:PutItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:Query table/index/GSI1",
    },
    "cascade": LOST
    | {
        "sns:Publish alerts",
        "logs:CreateLogStream cascadelogs",
        "logs:PutLogEvents cascadelogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:ConditionCheckItem table",
        "dynamodb:PartiQLInsert table",
        "dynamodb:PartiQLUpdate table",
        "dynamodb:Query table/index/GSI1",
        "dynamodb:Query table/index/GSI2",
        "dynamodb:DescribeStream stream",
        "dynamodb:GetRecords stream",
        "dynamodb:GetShardIterator stream",
        "dynamodb:ListStreams stream",
    }
    | PASSES_ON
    | HINTS
    | TELLS,
    "search": TRACE
    | SECRET
    | ADMITS
    | INDEX
    | HINTS
    | {
        "logs:CreateLogStream searchlogs",
        "logs:PutLogEvents searchlogs",
        "dynamodb:Query table",
        "dynamodb:BatchGetItem table",
    },
    "indexer": INDEX
    | HINTS
    | {
        "logs:CreateLogStream indexerlogs",
        "logs:PutLogEvents indexerlogs",
        "dynamodb:Query table",
        "dynamodb:BatchGetItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:Scan table",
        "s3:PutObject index/manifest",
        "s3:PutObject index/packs/*",
        "s3:DeleteObject index/manifest",
        "s3:DeleteObject index/packs/*",
        "sqs:ReceiveMessage hintsqueue",
        "sqs:DeleteMessage hintsqueue",
        "sqs:ChangeMessageVisibility hintsqueue",
    },
    "outlet": {
        "logs:CreateLogStream outletlogs",
        "logs:PutLogEvents outletlogs",
        "events:PutEvents bus",
        "sqs:GetQueueAttributes eventsqueue",
        "sqs:GetQueueUrl eventsqueue",
        "sqs:ReceiveMessage eventsqueue",
        "sqs:DeleteMessage eventsqueue",
        "sqs:ChangeMessageVisibility eventsqueue",
    },
    "pusher": SECRET
    | {
        "logs:CreateLogStream pusherlogs",
        "logs:PutLogEvents pusherlogs",
        "dynamodb:Query table",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:PutItem table",
        "execute-api:ManageConnections POST",
        "sqs:ReceiveMessage noticesqueue",
        "sqs:DeleteMessage noticesqueue",
        "sqs:ChangeMessageVisibility noticesqueue",
    }
    | PASSES_ON,
    "socket": TRACE
    | {
        "logs:CreateLogStream socketlogs",
        "logs:PutLogEvents socketlogs",
        "dynamodb:GetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "execute-api:ManageConnections POST",
        "execute-api:ManageConnections DELETE",
    },
    "socket_authorizer": TRACE
    | {
        "logs:CreateLogStream socketauthorizerlogs",
        "logs:PutLogEvents socketauthorizerlogs",
        "dynamodb:GetItem table",
        "dynamodb:DeleteItem table",
    },
    "socket_sweeper": TRACE
    | {
        "logs:CreateLogStream socketsweeperlogs",
        "logs:PutLogEvents socketsweeperlogs",
        "dynamodb:GetItem table",
        "dynamodb:BatchGetItem table",
        "dynamodb:PutItem table",
        "dynamodb:DeleteItem table",
        "dynamodb:Query table/index/GSI1",
        "execute-api:ManageConnections DELETE",
    },
}


OPTIONAL = ("batch_", "push", "socket", "search", "indexer", "outlet")
NAMES = sorted((EXPECTED.keys() | ROUTES.keys()) - {PROOF.name})
# Production's consumer keeps batches: it can put them, and neither read nor list nor delete any.
KEEPS = {"s3:PutObject kept/batches/*"}
# The consumer's, in stages with faults.
BREAKABLE = EXPECTED["edge_aggregator"] | {"dynamodb:UpdateItem table"}


@pytest.mark.parametrize("stage", ["dev", "prod"])
@pytest.mark.parametrize("name", NAMES)
def test_exactly_these_rights(name: str, stage: str, deployment: Callable[..., Deployment]) -> None:
    expected = _expected(name) | (KEEPS if (stage, name) == ("prod", "edge_aggregator") else set())
    assert _rights(deployment(stage, CHECKED, push=True, search="embedded", outlet=TOLD), name) == expected


def test_where_the_consumer_may_be_broken_a_plain_add_counts_beside_it(breakable: Deployment) -> None:
    assert _rights(breakable, PROOF.name) == _expected(PROOF.name)
    assert _rights(breakable, "edge_aggregator") == BREAKABLE


@pytest.mark.parametrize("name", [*(each for each in NAMES if each != "outlet"), PROOF.name])
def test_on_the_emulator_all_is_alike(name: str, local: Deployment) -> None:
    # The emulator tells apart what is one right on AWS.
    queues = {
        "cascade": ("notices", "hints"),
        "pusher": ("notices",),
        "search": ("hints",),
        "indexer": ("hints",),
        "heartbeat": ("heartbeatslater",),
    }
    batches = {f"sqs:SendMessageBatch {queue}queue" for queue in queues.get(name, ())}
    batches |= {"sns:PublishBatch alerts"} if name == "cascade" else set()
    expected = BREAKABLE | KEEPS if name == "edge_aggregator" else _expected(name)
    assert _rights(local, name) == (expected - TELLS) | batches


def test_every_function_is_listed(dev: Deployment, checked: Deployment) -> None:
    assert set(dev.functions()) == {name for name in NAMES if not name.startswith(OPTIONAL)}
    assert set(checked.functions()) == set(NAMES)


@pytest.mark.parametrize("name", ROUTES)
def test_what_is_spelled_out_allows_what_access_patterns_need(name: str) -> None:
    assert _needed(name) <= EXPECTED[name]


def test_roles_carry_nothing_but_these_policies(checked: Deployment) -> None:
    for name, role in checked.resources("AWS::IAM::Role").items():
        # CDK writes the role of its function that empties the console's bucket when the stack is deleted; that of AWS
        # Backup has AWS's policies.
        if name.startswith("releasesrole"):
            (arn,) = role["Properties"]["ManagedPolicyArns"]
            assert arn["Fn::Join"][1][-1] == ":iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited"
        elif not name.startswith(("CustomS3AutoDeleteObjects", "backuprole")):
            assert set(role["Properties"]) == {"AssumeRolePolicyDocument"}
    assert not checked.resources("AWS::IAM::ManagedPolicy")


# Systems send no others: what exists they put.
_STATEMENTS = {"BatchExecuteStatement": "PartiQLInsert"}


def _expected(name: str) -> set[str]:
    if name in EXPECTED:
        return EXPECTED[name]
    logs = {f"logs:{action} {name}logs" for action in ("CreateLogStream", "PutLogEvents")}
    return TRACE | SECRET | ADMITS | logs | _needed(name)


def _needed(name: str) -> set[str]:
    """What the documented requests of a system's routes need; of transactions nobody knows of what they are made."""
    requests = {_action(request) for read in READS if read.route in ROUTES[name] for request in read.requests}
    operations = {each for write in WRITES if write.route in ROUTES[name] for each in write.operations}
    return {f"dynamodb:{action}" for action in requests} | {
        f"dynamodb:{_STATEMENTS.get(each, each)} table" for each in operations - {"TransactWriteItems"}
    }


def _action(request: Request) -> str:
    if isinstance(request, Query):
        return f"Query table/index/{request.index.name}" if request.index else "Query table"
    return "BatchGetItem table" if isinstance(request, BatchGet) else "GetItem table"


def _rights(deployment: Deployment, name: str) -> set[str]:
    given = iam.statements(deployment, name)
    assert all(one["Effect"] == "Allow" for one in given)
    return {
        f"{action} {iam.resource_name(resource)}"
        for one in given
        for action in iam.listed(one["Action"])
        for resource in iam.listed(one["Resource"])
    }
