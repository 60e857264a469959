"""The job on AWS: Spark on EMR Serverless, which costs nothing while no job runs.

The job reads exports and writes results, both in the bucket. It has no right on the table.
"""

from typing import Any, Final

from aws_cdk import Stack
from aws_cdk.aws_emrserverless import CfnApplication
from aws_cdk.aws_iam import PolicyStatement, Role, ServicePrincipal
from aws_cdk.aws_logs import LogGroup
from constructs import Construct

from infra.batch.bucket import EXPORTS, RESULTS, RUNS, RunsBucket
from infra.batch.code import JobCode
from infra.batch.machine import AFTER, JOB_MINUTES, JOB_SECONDS
from infra.batch.settings import VCPUS_A_WORKER, BatchSettings
from infra.batch.states import REQUEST_SECONDS, States
from infra.nag import acknowledge, acknowledge_any
from infra.settings import InfraSettings

# Spark 4.1.1 and Python 3.11, supported until September 2029.
RELEASE: Final = "emr-spark-8.1.0"
PYTHON: Final = "/usr/bin/python3.11"
# Of each process, beside its processors. Python needs as much memory as Java, which has half of it.
MEMORY_GB, DISK_GB = 16, 60
IDLE_MINUTES: Final = 5
SERVICE: Final = "emr-serverless.amazonaws.com"
# What Spark does in a folder into which it writes: it also renames, and removes its scratch.
_WRITING: Final = ("GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload")
# What the job cost, if EMR Serverless tells already.
_BILLED: Final = """(
    $billed := $states.result.JobRun.BilledResourceUtilization;
    $exists($billed) ? {"used": {
        "exported_bytes": $exported_bytes,
        "vcpu_hours": $billed.VCPUHour,
        "memory_gb_hours": $billed.MemoryGBHour,
        "storage_gb_hours": $billed.StorageGBHour
    }} : {}
)"""
# Step Functions hears from this rule, which it makes itself, that a job has ended.
_RULE: Final = "StepFunctionsGetEventsForEMRServerlessJobRule"


class SparkJob(Construct):
    """The application, the job's role and log, and the states that run it."""

    def __init__(
        self, scope: Construct, construct_id: str, settings: InfraSettings, batch: BatchSettings, bucket: RunsBucket
    ) -> None:
        super().__init__(scope, construct_id)
        self._batch, self._bucket = batch, bucket
        workers = batch.vcpus // VCPUS_A_WORKER
        self._application = CfnApplication(
            self,
            "application",
            name=f"{settings.prefix}-batch",
            release_label=RELEASE,
            type="SPARK",
            architecture="ARM64",
            auto_start_configuration=CfnApplication.AutoStartConfigurationProperty(enabled=True),
            auto_stop_configuration=CfnApplication.AutoStopConfigurationProperty(
                enabled=True, idle_timeout_minutes=IDLE_MINUTES
            ),
            maximum_capacity=CfnApplication.MaximumAllowedResourcesProperty(
                cpu=f"{batch.vcpus} vCPU", memory=f"{workers * MEMORY_GB} GB", disk=f"{workers * DISK_GB} GB"
            ),
        )
        self._code = JobCode(self, "code", settings)
        self._logs = LogGroup(self, "logs", retention=settings.log_retention, removal_policy=settings.removal_policy)
        self._role = self._made_role()

    def states(self) -> States:
        """`Job`, then what it cost."""
        return {
            "Job": {
                "Type": "Task",
                "Resource": "arn:aws:states:::emr-serverless:startJobRun.sync",
                "Arguments": self._run(),
                "TimeoutSeconds": JOB_SECONDS,
                "Assign": {"job": "{% $states.result.JobRunId %}", "billed": {}},
                "Next": "Bill",
            },
            "Bill": {
                "Type": "Task",
                "Resource": "arn:aws:states:::aws-sdk:emrserverless:getJobRun",
                "Arguments": {"ApplicationId": self._application.attr_application_id, "JobRunId": "{% $job %}"},
                "TimeoutSeconds": REQUEST_SECONDS,
                "Assign": {"billed": f"{{% {_BILLED} %}}"},
                # A run is no worse for not knowing its cost.
                "Catch": [{"ErrorEquals": ["States.ALL"], "Next": AFTER}],
            },
        }

    def let(self, role: Role) -> None:
        """Allow the machine's role to run jobs, as the job's role."""
        application, stack = self._application.attr_arn, Stack.of(self)
        passed = {"StringEquals": {"iam:PassedToService": SERVICE}}
        rule = stack.format_arn(service="events", resource="rule", resource_name=_RULE)
        of_jobs = ["emr-serverless:GetJobRun", "emr-serverless:CancelJobRun"]
        for statement in (
            PolicyStatement(actions=["emr-serverless:StartJobRun"], resources=[application]),
            PolicyStatement(actions=of_jobs, resources=[f"{application}/jobruns/*"]),
            PolicyStatement(actions=["iam:PassRole"], resources=[self._role.role_arn], conditions=passed),
            PolicyStatement(actions=["events:PutTargets", "events:PutRule", "events:DescribeRule"], resources=[rule]),
        ):
            role.add_to_policy(statement)
        acknowledge_any(role, self._application, "/jobruns/*", "EMR Serverless names the runs of its jobs")

    def _run(self) -> dict[str, Any]:
        fill, reconcile = (self._code.scripts[kind].s3_object_url for kind in ("fill", "reconcile"))
        monitoring = {"CloudWatchLoggingConfiguration": {"Enabled": True, "LogGroupName": self._logs.log_group_name}}
        return {
            "ApplicationId": self._application.attr_application_id,
            "ExecutionRoleArn": self._role.role_arn,
            "Name": "{% $run.kind & '-' & $run.run %}",
            "ExecutionTimeoutMinutes": JOB_MINUTES,
            "JobDriver": {
                "SparkSubmit": {
                    "EntryPoint": f"{{% $run.kind = 'fill' ? '{fill}' : '{reconcile}' %}}",
                    "EntryPointArguments": f"{{% {self._arguments()} %}}",
                    "SparkSubmitParameters": self._parameters(),
                }
            },
            "ConfigurationOverrides": {"MonitoringConfiguration": monitoring},
        }

    def _arguments(self) -> str:
        """As batch/spark.py takes them. The manifests of an export are in a folder of its own name."""
        bucket = f"'s3://{self._bucket.bucket_name}'"
        told = f"['--run', $run.run, '--bucket', {bucket}, '--out', $run.result_prefix]"
        full = "['--full', $run.full_prefix & '/AWSDynamoDB/' & $split($exports[0], '/')[-1]]"
        changes = "['--increment', $run.increment_prefix & '/AWSDynamoDB/' & $split($exports[1], '/')[-1]]"
        last = "['--previous', $run.previous_prefix]"
        check = f"$append({changes}, $run.previous_prefix != '' ? {last} : [])"
        return f"$append({told}, $append({full}, $run.kind = 'reconcile' ? {check} : []))"

    def _parameters(self) -> str:
        configured = {
            **{f"spark.{each}.cores": VCPUS_A_WORKER for each in ("driver", "executor")},
            **{f"spark.{each}.memory": f"{MEMORY_GB // 2}g" for each in ("driver", "executor")},
            **{f"spark.{each}.memoryOverhead": f"{MEMORY_GB // 2}g" for each in ("driver", "executor")},
            **{f"spark.emr-serverless.{each}.disk": f"{DISK_GB}g" for each in ("driver", "executor")},
            "spark.emr-serverless.driverEnv.PYSPARK_DRIVER_PYTHON": PYTHON,
            "spark.emr-serverless.driverEnv.PYSPARK_PYTHON": PYTHON,
            "spark.executorEnv.PYSPARK_PYTHON": PYTHON,
        }
        options = (f"--conf {name}={value}" for name, value in configured.items())
        same = " ".join([f"--py-files {self._code.archive.s3_object_url}", *options])
        sized = {
            # As many parts as keep all processors busy to the end; Spark itself would count those of its first moments.
            "spark.default.parallelism": "3 * $vcpus",
            "spark.dynamicAllocation.maxExecutors": f"$vcpus / {VCPUS_A_WORKER} - 1",
        }
        told = [f"' --conf {name}=' & $string({value})" for name, value in sized.items()]
        return f"{{% {' & '.join([repr(same), *told])} %}}"

    def _made_role(self) -> Role:
        """It reads exports and its code, writes results and its log, and does nothing else."""
        stack, log = Stack.of(self), self._logs.log_group_arn
        job = {
            "StringEquals": {"aws:SourceAccount": stack.account},
            "ArnLike": {"aws:SourceArn": self._application.attr_arn},
        }
        role = Role(self, "role", assumed_by=ServicePrincipal(SERVICE, conditions=job))
        self._bucket.let_list(role, RUNS)
        self._bucket.let(role, ["GetObject"], *EXPORTS)
        self._bucket.let(role, _WRITING, RESULTS)
        # When a job ends, S3A looks for uploads that none of its tasks has finished.
        uploads = PolicyStatement(actions=["s3:ListBucketMultipartUploads"], resources=[self._bucket.bucket_arn])
        role.add_to_policy(uploads)
        role.add_to_policy(self._code.readable())
        role.add_to_policy(PolicyStatement(actions=["logs:DescribeLogGroups"], resources=["*"]))
        acknowledge(role, "AwsSolutions-IAM5[Resource::*]", "DescribeLogGroups supports no single groups")
        writing = ["logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents"]
        role.add_to_policy(PolicyStatement(actions=writing, resources=[log]))
        return role
