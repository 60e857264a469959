"""The optional stack that checks the table against itself: its bucket, its job, its state machine, when it begins."""

from functools import partial
from typing import Final, cast

from aws_cdk import CfnOutput, Duration
from aws_cdk.aws_iam import PolicyStatement, Role, ServicePrincipal
from aws_cdk.aws_kms import IKey
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_scheduler import Schedule, ScheduleExpression, ScheduleTargetInput, TimeWindow
from aws_cdk.aws_scheduler_targets import StepFunctionsStartExecution
from aws_cdk.aws_stepfunctions import DefinitionBody, StateMachine
from constructs import Construct

from edgewise.stream import windows
from functions.settings import BatchPublishSettings, BatchRepairSettings, BatchRunSettings, BatchVerifySettings
from infra.batch.bucket import RESULTS, RUNS, RunsBucket
from infra.batch.exports import Exports
from infra.batch.lag import Lag
from infra.batch.local_job import LocalJob
from infra.batch.machine import JOB_MINUTES, Machine
from infra.batch.settings import BatchSettings
from infra.batch.sizing import Sizing
from infra.batch.spark_job import SparkJob
from infra.batch.states import Function as Called
from infra.functions import FUNCTIONS, make_function
from infra.metrics import counted
from infra.nag import acknowledge
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.table import TableStack
from infra.watches import checks_missing

NAME: Final = "batch_run"
REPAIR: Final = "batch_repair"
PUBLISH: Final = "batch_publish"
VERIFY: Final = "batch_verify"
# How much of the table's history a check compares around its instant: a change that is on its way for longer counts as
# lost. An export of changes spans 15 minutes at least.
AROUND: Final = Duration.minutes(15)
# Nobody waits on AWS. The emulator completes an export within a second, and its changes are there at once.
POLL, POLL_EMULATOR = Duration.minutes(1), Duration.seconds(1)
AFTER_EMULATOR: Final = Duration.seconds(2)
# By how much the consumer may be behind for a direct verification, which can't wait for long.
BEHIND: Final = Duration.minutes(1)
REST_EMULATOR: Final = Duration.seconds(5)


class BatchStack(StageStack):
    """Everything that a stage with `[batch]` has besides."""

    def __init__(
        self,
        scope: Construct,
        part: str,
        settings: InfraSettings,
        batch: BatchSettings,
        base: TableStack,
        consumer: Function,
        own_key: IKey | None = None,
    ) -> None:
        super().__init__(scope, part, settings)
        self._settings, self._base, self._consumer = settings, base, consumer
        self._own_key = own_key
        self._bucket = RunsBucket(self, "runs", settings)
        self._run, self._repair, self._publish = self._made_run(), self._made_repair(), self._made_publish()
        self._verify = self._made_verify()
        spark = None if settings.emulator else SparkJob(self, "job", settings, batch, self._bucket)
        table = base.table.table_arn
        sizing = Sizing(table, batch.vcpus, JOB_MINUTES * 60) if spark else None
        machine = self._machine(spark or LocalJob(self, "job"), sizing)
        self._begin(machine, batch)
        self._watch(batch)
        CfnOutput(self, "BatchMachineArn", value=machine.state_machine_arn)
        CfnOutput(self, "RunsBucketName", value=self._bucket.bucket_name)

    def _made_run(self) -> Function:
        """The function that begins and ends runs in the table. It reads what jobs have found."""
        emulator, table = self._settings.emulator, self._base.table
        # What waits for the end of a window is on its way for as long.
        after = AROUND.plus(Duration.seconds(windows.SECONDS))
        environment = BatchRunSettings(
            table_name=table.table_name,
            bucket=self._bucket.bucket_name,
            before_seconds=str(AROUND.to_seconds()),
            after_seconds=str((AFTER_EMULATOR if emulator else after).to_seconds()),
        )
        function = make_function(self, NAME, table, environment, self._settings)
        role = cast(Role, function.role)
        self._bucket.let(role, ["GetObject"], RESULTS)
        self._bucket.let_list(role, RESULTS)
        return function

    def _made_repair(self) -> Function:
        """The function that applies plans: a lane of the stream's writer."""
        table = self._base.table
        environment = BatchRepairSettings(table.table_name, self._bucket.bucket_name, self._settings.writes)
        function = make_function(self, REPAIR, table, environment, self._settings)
        self._bucket.let(cast(Role, function.role), ["GetObject"], RESULTS)
        return function

    def _made_verify(self) -> Function:
        """The function that verifies directly what a check could not compare: it writes nothing into the table."""
        environment = BatchVerifySettings(
            table_name=self._base.table.table_name,
            bucket=self._bucket.bucket_name,
            rest_seconds=str((REST_EMULATOR if self._settings.emulator else self._rest()).to_seconds()),
        )
        function = make_function(self, VERIFY, self._base.table, environment, self._settings)
        role = cast(Role, function.role)
        self._bucket.let(role, ["GetObject", "PutObject"], RESULTS)
        self._bucket.let_list(role, RESULTS)
        return function

    def _rest(self) -> Duration:
        """How long nothing changes for an aggregate that nothing is under way for, if the consumer is not behind."""
        return BEHIND.plus(BEHIND).plus(Duration.seconds(windows.SECONDS))

    def _made_publish(self) -> Function:
        """The function that puts the summaries of nodes into the table."""
        table = self._base.table
        environment = BatchPublishSettings(table.table_name, self._bucket.bucket_name)
        function = make_function(self, PUBLISH, table, environment, self._settings)
        role = cast(Role, function.role)
        self._bucket.let(role, ["GetObject"], RESULTS)
        self._bucket.let_list(role, RESULTS)
        return function

    def _machine(self, job: SparkJob | LocalJob, sizing: Sizing | None) -> StateMachine:
        poll = POLL_EMULATOR if self._settings.emulator else POLL
        machine = Machine(
            function=Called(self._run.function_arn, FUNCTIONS[NAME].timeout_s),
            repair=Called(self._repair.function_arn, FUNCTIONS[REPAIR].timeout_s),
            publish=Called(self._publish.function_arn, FUNCTIONS[PUBLISH].timeout_s),
            verify=Called(self._verify.function_arn, FUNCTIONS[VERIFY].timeout_s),
            lag=Lag(
                self._consumer.function_name,
                verify_seconds=int(BEHIND.to_seconds()),
                repair_seconds=int(AROUND.to_seconds()),
                measured=not self._settings.emulator,
            ),
            exports=Exports(
                self._base.table.table_arn,
                self._bucket.bucket_name,
                int(poll.to_seconds()),
                self._own_key.key_arn if self._own_key else None,
            ),
            job=job.states(),
            sizing=sizing,
        )
        role = self._machine_role(sizing)
        job.let(role)
        definition = DefinitionBody.from_string(self.to_json_string(machine.definition()))
        made = StateMachine(self, "machine", definition_body=definition, role=role)
        # The history of each execution is kept for 90 days, and says when each state began and how it ended.
        acknowledge(made, "AwsSolutions-SF1", "its history says all that a log would")
        acknowledge(made, "AwsSolutions-SF2", "its history says how long each state took")
        return made

    def _machine_role(self, sizing: Sizing | None) -> Role:
        """What the machine does itself: it asks for exports, which are written in its name, and lists what to write."""
        role = Role(self, "machine-role", assumed_by=ServicePrincipal("states.amazonaws.com"))
        table, called = self._base.arn_elsewhere()
        for action, resource in (
            ("lambda:InvokeFunction", self._run.function_arn),
            ("lambda:InvokeFunction", self._repair.function_arn),
            ("lambda:InvokeFunction", self._publish.function_arn),
            ("lambda:InvokeFunction", self._verify.function_arn),
            ("cloudwatch:GetMetricStatistics", "*"),
            ("dynamodb:ExportTableToPointInTime", table),
            ("dynamodb:DescribeExport", f"{table}/export/*"),
            *([("dynamodb:DescribeTable", table)] if sizing else []),
        ):
            role.add_to_policy(PolicyStatement(actions=[action], resources=[resource]))
        acknowledge(role, "AwsSolutions-IAM5[Resource::*]", "CloudWatch supports no single metrics: it reads one")
        acknowledge(role, f"AwsSolutions-IAM5[Resource::{called}/export/*]", "DynamoDB names exports")
        self._bucket.let(role, ["PutObject", "PutObjectAcl", "AbortMultipartUpload"], RUNS)
        self._bucket.let_list(role, RESULTS)
        return role

    def _begin(self, machine: StateMachine, batch: BatchSettings) -> None:
        """Begin a check at the given times; not on the emulator, where nobody waits to do the job."""
        hours = ",".join(map(str, batch.hours))
        Schedule(
            self,
            "checks",
            description="Checks every aggregate of the table",
            schedule=ScheduleExpression.cron(minute="0", hour=hours, week_day=batch.weekdays),
            # They are not urgent, and AWS has more room at other minutes.
            time_window=TimeWindow.flexible(Duration.minutes(15)),
            target=StepFunctionsStartExecution(
                machine, input=ScheduleTargetInput.from_object({"kind": "reconcile"}), retry_attempts=3
            ),
            enabled=not self._settings.emulator,
        )

    def _watch(self, batch: BatchSettings) -> None:
        """Raise alarms when aggregates differ, and when no check succeeds, whatever fails."""
        alarms, found = self._base.alarms, partial(counted, self._settings, service=NAME)
        wrong = {"differing": found("Differences"), "unreadable": found("UnreadableSources")}
        alarms.ring(self, "table-differs", wrong)
        alarms.ring(self, "checks-missing", {"done": found("ReconcilesDone")}, checks_missing(batch.interval_hours))
