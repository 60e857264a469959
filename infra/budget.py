"""What a month may cost: whoever receives alarms is told before and when it costs more."""

from collections.abc import Sequence
from typing import Final

from aws_cdk.aws_budgets import CfnBudget
from constructs import Construct

# By what has been spent, and by what AWS expects of the rest of the month; in percent of the budget.
TOLD_AT: Final = (("ACTUAL", 50), ("ACTUAL", 100), ("FORECASTED", 100))


class Budget(Construct):
    """A budget of the whole account: tags would have to be activated for billing first, and untagged cost be missed.

    It tells, and stops nothing: the bound is that of the table's units. AWS computes costs a few times a day.
    """

    def __init__(self, scope: Construct, construct_id: str, usd: int, addresses: Sequence[str]) -> None:
        super().__init__(scope, construct_id)
        subscribers = [CfnBudget.SubscriberProperty(address=each, subscription_type="EMAIL") for each in addresses]
        CfnBudget(
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
                    subscribers=subscribers,
                )
                for kind, percent in TOLD_AT
            ],
        )
