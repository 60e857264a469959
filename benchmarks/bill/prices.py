"""The one table of prices: us-east-1, as looked up on these days."""

from dataclasses import dataclass
from typing import Final

from functions.systems.operations import prices

REGION: Final = "us-east-1"
LOOKED_UP: Final = "22 and 25 November 2026"


@dataclass(frozen=True)
class Price:
    """USD for so many of a unit, without free tiers and discounts by volume, and who says so."""

    usd: float
    per: float
    unit: str
    source: str

    def of(self, quantity: float) -> float:
        """What so many units cost, in USD."""
        return quantity * self.usd / self.per


_MILLION: Final = 1e6
_ARTICLE: Final = "linkedin.com: Amazon DynamoDB Pricing Explained"
_CLOUDWATCH: Final = "factualminds.com, June 2026: Amazon CloudWatch Pricing"

# Most of AWS's own pages fill in their prices only in a browser, so others are cited.
PRICES: Final = {
    "DynamoDB writes": Price(float(prices.WRITE_UNITS), _MILLION, "write units", _ARTICLE),
    "DynamoDB reads": Price(float(prices.READ_UNITS), _MILLION, "read units", _ARTICLE),
    "DynamoDB storage": Price(0.25, 1, "GB at the month's end", "aws.amazon.com/dynamodb/pricing"),
    "DynamoDB recovery": Price(0.20, 1, "GB at the month's end", "finops.com.py: DynamoDB backups"),
    "DynamoDB streams": Price(0, _MILLION, "reads by Lambda", "DynamoDB's guide, Evaluate your streams usage"),
    "Lambda requests": Price(0.20, _MILLION, "invocations", "cloudchipr.com: AWS Lambda Pricing Breakdown"),
    "Lambda duration": Price(0.0000133334, 1, "GB-seconds (arm64)", "cloudchipr.com: AWS Lambda Pricing Breakdown"),
    "API Gateway": Price(1.00, _MILLION, "requests", "apigatewaycost.com/aws"),
    "SQS": Price(0.40, _MILLION, "requests", "cloudburn.io, March 2026: Amazon SQS Pricing"),
    "CloudWatch logs": Price(0.50, 1, "GB taken in", _CLOUDWATCH),
    "CloudWatch metrics": Price(0.30, 1, "metrics", "signoz.io, February 2026: CloudWatch Pricing"),
    "CloudWatch alarms": Price(0.10, 1, "metrics of alarms", "huyanh.click: workshop on application monitoring"),
    "CloudWatch composite alarms": Price(0.50, 1, "alarms", "c3x.dev, November 2026: cost of metric alarms"),
    "CloudWatch dashboards": Price(3.00, 1, "dashboards", _CLOUDWATCH),
    "X-Ray": Price(5.00, _MILLION, "traces", "aws.amazon.com/xray/pricing"),
    "Secrets Manager": Price(0.40, 1, "secrets", "hivebook.wiki: AWS Secrets Manager"),
    # Production's plan, Plus. That of other stages, Essentials, is 0.015, and free for the first 10,000 of an account.
    "Cognito": Price(0.02, 1, "users who sign in", "aws.amazon.com/cognito/pricing, as read on 20 September 2026"),
    "Data to the internet": Price(0.09, 1, "GB", "usage.ai, June 2026: AWS Data Transfer Costs Explained"),
}

# What a check of the whole table takes beside these, and beside functions/systems/checks/prices.py.
_PRICE_LISTS: Final = "AWS's price lists of July 2026, as others quote them"
OF_CHECKS: Final = {
    "S3 storage": Price(0.023, 1, "GB-months", _PRICE_LISTS),
    "S3 writes": Price(0.005, 1000, "requests", _PRICE_LISTS),
    "Step Functions": Price(0.025, 1000, "transitions", _PRICE_LISTS),
}

# What settings of a stage take beside these.
OF_SETTINGS: Final = {
    "sign-ins": Price(0.015, 1, "users who sign in", "as Cognito: the plan Essentials of other stages"),
    # We assume an hour of provisioned units; AWS says that it is billed once, and its page has no text with a price.
    "warm write units": Price(
        0.00065, 1, "write units more at once, billed once", "assumed: an hour of a provisioned unit"
    ),
    "keys": Price(1.00, 1, "keys, and as much for each of the first two rotations", "aws.amazon.com/kms/pricing"),
    "key requests": Price(0.03, 10_000, "requests to KMS", "aws.amazon.com/kms/pricing"),
    "web ACLs": Price(5.00, 1, "access control lists of AWS WAF", "aws.amazon.com/waf/pricing"),
    "web ACL rules": Price(1.00, 1, "rules of these; a million requests cost 0.60 more", "aws.amazon.com/waf/pricing"),
    "copies kept": Price(0.10, 1, "GB-months of each copy", "finops.com.py: DynamoDB backups"),
    "copies sent": Price(0.02, 1, "GB to another region", "factualminds.com, June 2026: AWS Backup Pricing"),
    "rules": Price(0.50, 1, "rules of Contributor Insights", "by third parties, as docs/runbooks.md tells"),
    "EventBridge": Price(
        1.00, _MILLION, "events of up to 64 KB", "cloudburn.io, March 2026: Amazon EventBridge Pricing"
    ),
    "snapshots": Price(0.0000015046, 1, "GB-seconds kept", "by third parties, as docs/deploying.md tells"),
}

# What sockets take beside these.
_SOCKETS: Final = "amnic.com and awsforengineers.com: AWS API Gateway Pricing"
OF_PUSH: Final = {
    "connection minutes": Price(0.25, _MILLION, "minutes", _SOCKETS),
    "socket messages": Price(1.00, _MILLION, "messages of up to 32 KB", _SOCKETS),
}
