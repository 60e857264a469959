"""What a month may cost: whoever receives tickets is told before and when it costs more."""

from typing import Final

from aws_cdk.aws_budgets import CfnBudget
from constructs import Construct

from infra.alarms import AlarmTopic

BUDGETS: Final = "budgets.amazonaws.com"
# By what has been spent, and by what AWS expects of the rest of the month; in percent of the budget.
TOLD_AT: Final = (("ACTUAL", 50), ("ACTUAL", 100), ("FORECASTED", 100))


class Budget(Construct):
    """A budget of the whole account: tags would have to be activated for billing first, and untagged cost be missed.

    It tells, and stops nothing: the bound is that of the table's units. AWS computes costs a few times a day.
    """

    def __init__(self, scope: Construct, construct_id: str, usd: int, topic: AlarmTopic) -> None:
        super().__init__(scope, construct_id)
        topic.let_publish(BUDGETS)
        subscriber = CfnBudget.SubscriberProperty(address=topic.topic_arn, subscription_type="SNS")
        budget = CfnBudget(
            self,
            "month",
            budget=CfnBudget.BudgetDataProperty(
                budget_type="COST",
                time_unit="MONTHLY",
                budget_limit=CfnBudget.SpendProperty(amount=usd, unit="USD"),
            ),
            notifications_with_subscribers=[
                CfnBudget.NotificationWithSubscribersProperty(
                    notification=CfnBudget.NotificationProperty(
                        comparison_operator="GREATER_THAN",
                        notification_type=kind,
                        threshold=percent,
                        threshold_type="PERCENTAGE",
                    ),
                    subscribers=[subscriber],
                )
                for kind, percent in TOLD_AT
            ],
        )
        # AWS looks whether it may publish.
        budget.node.add_dependency(topic)
