"""What AWS WAF refuses before CloudFront asks the page's bucket or the API."""

from typing import Final

from aws_cdk.aws_wafv2 import CfnWebACL
from constructs import Construct

from infra.settings import InfraSettings

# AWS's lists of addresses that attack others, and of requests that use known holes. The one of common attacks is left
# out: it refuses bodies of more than 8 KB, as 500 readings have, and texts that look like code, as documents may.
MANAGED: Final = ("AWSManagedRulesAmazonIpReputationList", "AWSManagedRulesKnownBadInputsRuleSet")
# Ten in each second, from one address: an office may have one for all.
REQUESTS, WINDOW_SECONDS = 3_000, 300
TOO_MANY: Final = 429


class WebAcl(Construct):
    """Each rule is counted in CloudWatch, and the requests that it saw last can be looked at there."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id)
        acl = CfnWebACL(
            self,
            "acl",
            scope="CLOUDFRONT",
            default_action=CfnWebACL.DefaultActionProperty(allow=CfnWebACL.AllowActionProperty()),
            visibility_config=_counted(settings.prefix),
            rules=[*(_managed(place, name) for place, name in enumerate(MANAGED)), _flooding(len(MANAGED))],
        )
        self.arn: str = acl.attr_arn


def _managed(place: int, name: str) -> CfnWebACL.RuleProperty:
    group = CfnWebACL.ManagedRuleGroupStatementProperty(vendor_name="AWS", name=name)
    return CfnWebACL.RuleProperty(
        name=name,
        priority=place,
        statement=CfnWebACL.StatementProperty(managed_rule_group_statement=group),
        override_action=CfnWebACL.OverrideActionProperty(none={}),
        visibility_config=_counted(name),
    )


def _flooding(place: int) -> CfnWebACL.RuleProperty:
    """Tells who sends too much what the API would tell."""
    limit = CfnWebACL.RateBasedStatementProperty(
        limit=REQUESTS, evaluation_window_sec=WINDOW_SECONDS, aggregate_key_type="IP"
    )
    answer = CfnWebACL.CustomResponseProperty(response_code=TOO_MANY)
    return CfnWebACL.RuleProperty(
        name="flooding",
        priority=place,
        statement=CfnWebACL.StatementProperty(rate_based_statement=limit),
        action=CfnWebACL.RuleActionProperty(block=CfnWebACL.BlockActionProperty(custom_response=answer)),
        visibility_config=_counted("flooding"),
    )


def _counted(name: str) -> CfnWebACL.VisibilityConfigProperty:
    return CfnWebACL.VisibilityConfigProperty(
        metric_name=name, cloud_watch_metrics_enabled=True, sampled_requests_enabled=True
    )
