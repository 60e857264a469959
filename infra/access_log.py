"""The access log of an API's stage, as CDK expects it: an object with two properties."""

import json
from collections.abc import Mapping

import jsii
from aws_cdk.aws_apigateway import AccessLogFormat
from aws_cdk.aws_apigatewayv2 import IAccessLogSettings, LogGroupLogDestination
from aws_cdk.aws_logs import LogGroup


@jsii.implements(IAccessLogSettings)
class AccessLog:
    """One line of JSON for each request, with these fields.

    API Gateway lets itself write by a policy of the log group. (It used to be one of the account's, of which there are
    ten in a region, and of which groups below /aws/vendedlogs/ share one; a group that is kept can't have such a name.)
    """

    def __init__(self, logs: LogGroup, fields: Mapping[str, str]) -> None:
        self._logs, self._fields = logs, fields

    @property
    def destination(self) -> LogGroupLogDestination:
        """Where lines go."""
        return LogGroupLogDestination(self._logs)

    @property
    def format(self) -> AccessLogFormat:
        """What a line has."""
        return AccessLogFormat.custom(json.dumps(self._fields))
