"""One topic for alarms, and one way to raise them."""

from aws_cdk import Stack
from aws_cdk.aws_cloudwatch import Alarm, IMetric
from aws_cdk.aws_iam import PolicyStatement, ServicePrincipal
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sns import Topic
from aws_cdk.aws_sns_subscriptions import EmailSubscription
from constructs import Construct

from edgewise.cdk.alarms import PERIOD, Watch, ring, ring_for_none
from infra.settings import InfraSettings


class AlarmTopic(Topic):
    """The topic for alarms, to which the stage's addresses subscribe. Messages name alarms and contain no user data."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id, enforce_ssl=settings.tls_only)
        self._all = settings.alarms == "all"
        # A topic with its own policy loses the default one, which lets CloudWatch publish.
        self.add_to_resource_policy(
            PolicyStatement(
                sid="AlarmsOfThisAccount",
                principals=[ServicePrincipal("cloudwatch.amazonaws.com")],
                actions=["sns:Publish"],
                resources=[self.topic_arn],
                conditions={"StringEquals": {"aws:SourceAccount": Stack.of(self).account}},
            )
        )
        for address in settings.alarm_emails:
            self.add_subscription(EmailSubscription(address))

    def watch(self, scope: Construct, name: str, metric: IMetric, *, at_least: float, because: str) -> Alarm | None:
        """The same as `watch_always`, but only on a stage with all alarms; None on others."""
        return self.watch_always(scope, name, metric, at_least=at_least, because=because) if self._all else None

    def watch_always(self, scope: Construct, name: str, metric: IMetric, *, at_least: float, because: str) -> Alarm:
        """Raise the alarm `name` when one period's value reaches `at_least` (in the metric's own unit).

        For what makes numbers wrong or late, or loses records: every stage has these alarms.
        """
        return ring(scope, Watch(name, metric, at_least, because), self)

    def watch_for_none(self, scope: Construct, name: str, metric: IMetric, *, periods: int, because: str) -> None:
        """Raise the alarm `name` when a sum is below 1, or not there, in each of so many periods (ring_for_none)."""
        ring_for_none(scope, name, metric, self, periods=periods, because=because)

    def watch_function(self, scope: Construct, name: str, function: Function) -> None:
        """Raise alarms when the function fails or is not allowed to run, on a stage with all alarms."""
        errors = function.metric_errors(period=PERIOD)
        self.watch(scope, f"{name}-errors", errors, at_least=1, because=f"{name} raised or timed out")
        throttles = function.metric_throttles(period=PERIOD)
        self.watch(scope, f"{name}-throttles", throttles, at_least=1, because=f"{name}: no concurrency left")
