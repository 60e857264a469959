"""The stack of push, for a stage that has it: the WebSocket API, its functions, and the sender."""

from typing import Final

from aws_cdk import CfnOutput, Duration, Fn
from aws_cdk.aws_apigatewayv2 import (
    ThrottleSettings,
    WebSocketApi,
    WebSocketStage,
)
from aws_cdk.aws_apigatewayv2_authorizers import WebSocketLambdaAuthorizer
from aws_cdk.aws_apigatewayv2_integrations import WebSocketLambdaIntegration
from aws_cdk.aws_iam import PolicyStatement
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_logs import LogGroup
from constructs import Construct

from edgewise.cdk.calls import call_every
from functions.settings import AuthorizerSettings, PusherSettings, SocketSettings, SubscribingSettings
from infra import watches
from infra.access_log import AccessLog
from infra.functions import make_function
from infra.nag import acknowledge, acknowledge_arn
from infra.notices import SENDER, NoticeQueue
from infra.settings import InfraSettings
from infra.stack import StageStack
from infra.table import TableStack

SOCKET, AUTHORIZER, SWEEPER = "socket", "socket_authorizer", "socket_sweeper"
# The functions, as the alarm's rule names them.
SOCKETS: Final = dict(zip(watches.SOCKETS, (SOCKET, AUTHORIZER, SWEEPER, SENDER), strict=True))
# The last part of the socket's address.
STAGE: Final = "live"
SWEEPS: Final = Duration.minutes(1)
# Never the query string: it has the ticket.
LOGGED: Final = {
    "requestId": "$context.requestId",
    "time": "$context.requestTime",
    "route": "$context.routeKey",
    "event": "$context.eventType",
    "status": "$context.status",
    "connection": "$context.connectionId",
    "user": "$context.authorizer.user",
    "authorizerError": "$context.authorizer.error",
    "integrationError": "$context.integrationErrorMessage",
}


class PushStack(StageStack):
    """Clients connect with a ticket; the socket's function stores what they subscribe to; the sender sends it.

    `domain`: where the WebSocket API is.
    """

    def __init__(
        self,
        scope: Construct,
        part: str,
        settings: InfraSettings,
        base: TableStack,
        notices: NoticeQueue,
    ) -> None:
        super().__init__(scope, part, settings)
        self._settings, self._base = settings, base
        table = base.table.table_name
        # Without routes, so that the functions that serve them can name it.
        self.api = WebSocketApi(self, "api", api_name=f"{settings.prefix}-live", description="Edgewise, live")
        self.domain = Fn.select(2, Fn.split("/", self.api.api_endpoint))
        endpoint = settings.socket_endpoint(self.api.api_id, STAGE)
        self.functions = {
            SOCKET: make_function(
                self, SOCKET, base.table, SubscribingSettings(table, base.cursors.arn, endpoint), settings
            ),
            AUTHORIZER: make_function(self, AUTHORIZER, base.table, AuthorizerSettings(table), settings),
            SWEEPER: make_function(self, SWEEPER, base.table, SocketSettings(table, endpoint), settings),
            SENDER: self._sender(notices, endpoint),
        }
        self._add_routes(self.functions[SOCKET], self.functions[AUTHORIZER])
        self._add_stage()
        self._allow_sending()
        call_every(self, "sweeps", self.functions[SWEEPER], SWEEPS)
        self._watch_functions()
        CfnOutput(self, "SocketUrl", value=self.stage.url)

    def _watch_functions(self) -> None:
        """Raise an alarm when they fail often. What subscribers miss they read: that is a graph alone."""
        called = {part: self.functions[name] for part, name in SOCKETS.items()}
        failed = {f"{part}_errors": each.metric_errors() for part, each in called.items()}
        invoked = {part: each.metric_invocations() for part, each in called.items()}
        self._base.alarms.ring(self, "push-failing", {**failed, **invoked})

    def _sender(self, notices: NoticeQueue, endpoint: str) -> Function:
        environment = PusherSettings(
            self._base.table.table_name, self._base.cursors.arn, endpoint, notices.queue.queue_url
        )
        function = make_function(self, SENDER, self._base.table, environment, self._settings)
        self._base.cursors.allow(function)
        notices.feed(function)
        notices.let_send(function)
        return function

    def _add_routes(self, socket: Function, authorizer: Function) -> None:
        integration = WebSocketLambdaIntegration("socket-integration", socket)
        ticket = WebSocketLambdaAuthorizer("ticket", authorizer, identity_source=["route.request.querystring.ticket"])
        self.api.add_route("$connect", integration=integration, authorizer=ticket)
        for route in ("$disconnect", "$default"):
            added = self.api.add_route(route, integration=integration)
            acknowledge(added, "AwsSolutions-APIG4", "only $connect can have an authorizer; it covers the connection")

    def _add_stage(self) -> None:
        settings = self._settings
        logs = LogGroup(self, "access-logs", retention=settings.log_retention, removal_policy=settings.removal_policy)
        self.stage = WebSocketStage(
            self,
            "stage",
            web_socket_api=self.api,
            stage_name=STAGE,
            auto_deploy=True,
            throttle=ThrottleSettings(rate_limit=settings.request_rate, burst_limit=settings.request_burst),
            access_log_settings=AccessLog(logs, LOGGED),
        )

    def _allow_sending(self) -> None:
        """What is sent to a connection, and the closing of one, are requests to the API's own resources."""
        for name, methods in {SOCKET: ("POST", "DELETE"), SWEEPER: ("DELETE",), SENDER: ("POST",)}.items():
            resources = [self.stage_arn(method) for method in methods]
            statement = PolicyStatement(actions=["execute-api:ManageConnections"], resources=resources)
            self.functions[name].add_to_role_policy(statement)
            role = self.functions[name].role
            assert role
            for resource in resources:
                acknowledge_arn(role, resource, "API Gateway names the connections")

    def stage_arn(self, method: str) -> str:
        """The ARN of all connections of the stage, for one method."""
        return self.api.arn_for_execute_api_v2(f"{method}/@connections/*", STAGE)
