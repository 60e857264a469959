"""How a release of the API's functions gets to its callers: to a tenth of the requests first, and back if it fails.

A ringing alarm stops every move, to a release that mends what rings too: so a stage may say `at once`.
"""

from typing import cast

from aws_cdk.aws_cloudwatch import IAlarm
from aws_cdk.aws_codedeploy import LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup
from aws_cdk.aws_iam import ManagedPolicy, Role, ServicePrincipal
from aws_cdk.aws_lambda import Alias, CfnFunction, Function
from constructs import Construct

from infra.nag import acknowledge
from infra.settings import InfraSettings

POLICY = "service-role/AWSCodeDeployRoleForLambdaLimited"


class Releases(Construct):
    """An alias for each function, which moves to a new version, and moves back when the alarm rings (decision 42)."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id)
        self._settings = settings
        self._application = LambdaApplication(self, "application")
        policy = ManagedPolicy.from_aws_managed_policy_name(POLICY)
        self._role = Role(
            self, "role", assumed_by=ServicePrincipal("codedeploy.amazonaws.com"), managed_policies=[policy]
        )
        reason = "AWS's policy for this service, which moves aliases and reads alarms"
        acknowledge(self._role, f"AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/{POLICY}]", reason)
        self._aliases: dict[str, Alias] = {}

    def alias(self, name: str, function: Function) -> Alias:
        """What callers are led to, for the function `name`."""
        if self._settings.snap_start:
            own = cast(CfnFunction, function.node.default_child)
            own.snap_start = CfnFunction.SnapStartProperty(apply_on="PublishedVersions")
        self._aliases[name] = alias = Alias(self, name, alias_name="live", version=function.current_version)
        return alias

    def watch(self, alarm: IAlarm) -> None:
        """Move every alias as the stage says: gradually, and back if this alarm rings, or at once, whatever rings."""
        at_once = self._settings.releases == "at once"
        configs = LambdaDeploymentConfig
        for name, alias in self._aliases.items():
            LambdaDeploymentGroup(
                self,
                f"{name}-group",
                application=self._application,
                alias=alias,
                role=self._role,
                deployment_config=configs.ALL_AT_ONCE if at_once else configs.CANARY_10_PERCENT_5_MINUTES,
                alarms=[alarm],
                ignore_alarm_configuration=at_once,
            )
