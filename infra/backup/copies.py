"""Copies of the table in another region, made by AWS Backup: what is left if the stage's own region is lost.

AWS Backup counts jobs in CloudWatch, by the name of the vault (CloudWatch's guide, "AWS::Backup::BackupVault").
"""

from typing import Final

from aws_cdk import CfnOutput, Duration, Stack
from aws_cdk.aws_backup import (
    BackupPlan,
    BackupPlanCopyActionProps,
    BackupPlanRule,
    BackupResource,
    BackupVault,
)
from aws_cdk.aws_cloudwatch import Metric
from aws_cdk.aws_dynamodb import ITableV2
from aws_cdk.aws_events import Schedule
from aws_cdk.aws_iam import ManagedPolicy, Role, ServicePrincipal
from constructs import Construct

from edgewise.cdk.alarms import PERIOD
from infra.alarms import Alarms
from infra.backup.settings import BackupSettings
from infra.nag import acknowledge
from infra.watches import copies_missing

# Of AWS's own policies: to copy, and to restore what was copied.
POLICIES: Final = ("AWSBackupServiceRolePolicyForBackup", "AWSBackupServiceRolePolicyForRestores")
# A copy is begun within an hour, the least that AWS Backup allows, and given up when the next one is due in any case.
BEGUN, GIVEN_UP = Duration.hours(1), Duration.hours(24)
# What was copied is of no more use here: this region restores to the second by itself.
KEPT_HERE: Final = Duration.days(1)
# How the jobs of a vault go on, as AWS calls it.
BEGIN, END, FAIL = OUTCOMES = ("Created", "Completed", "Failed")


def copied(vault: str, outcome: str) -> Metric:
    """How many copies began, ended or failed. Both vaults have this name, whichever of them AWS means."""
    return Metric(
        namespace="AWS/Backup",
        metric_name=f"NumberOfCopyJobs{outcome}",
        dimensions_map={"BackupVaultName": vault},
        statistic="Sum",
        period=PERIOD,
    )


class Copies(Construct):
    """The plan, the role as which AWS copies and restores, and the alarm for copies that fail, or never begin.

    Both vaults are there before (`make bootstrap`), and stay: no stack owns what is left when a region is lost.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        vault: str,
        settings: BackupSettings,
        table: ITableV2,
        alarms: Alarms,
    ) -> None:
        super().__init__(scope, construct_id)
        plan = BackupPlan(self, "plan", backup_plan_name=vault, backup_plan_rules=[self._rule(vault, settings)])
        plan.add_selection(
            "selection", resources=[BackupResource.from_arn(table.table_arn)], role=self._role(), allow_restores=False
        )
        # One that failed is missing, too: so one alarm tells of both, and is over with the next copy.
        alarms.ring(self, "copies-missing", {"done": copied(vault, END)}, copies_missing(settings.interval_hours))

    def _rule(self, vault: str, settings: BackupSettings) -> BackupPlanRule:
        elsewhere = Stack.of(self).format_arn(
            service="backup", region=settings.region, resource=f"backup-vault:{vault}"
        )
        return BackupPlanRule(
            rule_name="copies",
            backup_vault=BackupVault.from_backup_vault_name(self, "here", vault),
            schedule_expression=Schedule.cron(hour=f"0/{settings.interval_hours}", minute="0"),
            start_window=BEGUN,
            completion_window=GIVEN_UP,
            delete_after=KEPT_HERE,
            copy_actions=[
                BackupPlanCopyActionProps(
                    destination_backup_vault=BackupVault.from_backup_vault_arn(self, "elsewhere", elsewhere),
                    delete_after=Duration.days(settings.days),
                )
            ],
        )

    def _role(self) -> Role:
        """With AWS's own policies, which follow what AWS Backup does: whoever restores would find a missing right."""
        role = Role(
            self,
            "role",
            assumed_by=ServicePrincipal("backup.amazonaws.com"),
            managed_policies=[ManagedPolicy.from_aws_managed_policy_name(f"service-role/{each}") for each in POLICIES],
        )
        for each in POLICIES:
            named = f"AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/{each}]"
            acknowledge(role, named, "it follows what AWS Backup does; who restores would find a missing right")
        CfnOutput(Stack.of(self), "BackupRoleArn", value=role.role_arn)
        return role
