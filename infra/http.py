"""The HTTP API: the routes of functions.catalog, each behind a token unless it is public."""

from collections.abc import Mapping, Sequence
from typing import Final

from aws_cdk import Duration, Fn, Stack
from aws_cdk.aws_apigatewayv2 import (
    CorsHttpMethod,
    CorsPreflightOptions,
    DomainMappingOptions,
    HttpApi,
    HttpMethod,
    HttpNoneAuthorizer,
    HttpStage,
    IHttpRouteAuthorizer,
    ThrottleSettings,
)
from aws_cdk.aws_apigatewayv2_authorizers import HttpUserPoolAuthorizer
from aws_cdk.aws_apigatewayv2_integrations import HttpLambdaIntegration
from aws_cdk.aws_cloudwatch import Metric
from aws_cdk.aws_lambda import IFunction
from aws_cdk.aws_logs import FilterPattern, LogGroup, MetricFilter
from constructs import Construct

from edgewise.cdk.alarms import PERIOD
from functions.routes import PUBLIC, ROUTES
from infra.access_log import AccessLog
from infra.domain import ApiDomain
from infra.identity import Identity
from infra.nag import acknowledge
from infra.objectives import TOO_SLOW_MS
from infra.settings import InfraSettings

# Answers say by these what they cost.
CONSUMED: Final = ("x-caused-units", "x-consumed-read-units", "x-consumed-requests", "x-consumed-write-units")
LOGGED: Final = {
    "requestId": "$context.requestId",
    "time": "$context.requestTime",
    "route": "$context.routeKey",
    "status": "$context.status",
    "latencyMs": "$context.responseLatency",
    "user": "$context.authorizer.claims.sub",
    "authorizerError": "$context.authorizer.error",
    "integrationError": "$context.integrationErrorMessage",
}

# API Gateway's own metrics tell no status apart: these are counted from the access log.
REFUSALS: Final = {401: "Unauthorized", 403: "Forbidden", 429: "TooManyRequests"}


class Http(Construct):
    """An HTTP API with one JWT authorizer, throttled, and with a log line for each request.

    `url`: where it is called: at its own domain if that is the only one, else at the address that AWS has given it.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        functions: Mapping[str, IFunction],
        identity: Identity,
        settings: InfraSettings,
    ) -> None:
        super().__init__(scope, construct_id)
        domain = settings.domain
        alone = domain is not None and domain.alone
        self.api = HttpApi(
            self,
            "api",
            api_name=settings.prefix,
            create_default_stage=False,
            description="Edgewise",
            cors_preflight=_cors(settings.cors_origins),
            disable_execute_api_endpoint=alone or None,
        )
        self.url = f"https://{domain.name}" if domain and alone else self.api.api_endpoint
        self.failed = self.api.metric_server_error(statistic="Sum", period=PERIOD)
        # By the names that the objective gives them: requests of all kinds, and the percentage that takes too long.
        self.bad = {
            "failed": self.failed,
            "requests": self.api.metric_count(statistic="Sum", period=PERIOD),
            "slow": self.api.metric_latency(statistic=f"PR({TOO_SLOW_MS}:)", period=PERIOD),
        }
        self._add_stage(settings)
        member = HttpUserPoolAuthorizer("token", identity.pool, user_pool_clients=identity.clients)
        anyone = HttpNoneAuthorizer()
        for name, function in functions.items():
            integration = HttpLambdaIntegration(f"{name}-integration", function)
            for route in ROUTES[name]:
                self._add_route(route, integration, anyone if route in PUBLIC else member)

    @property
    def host(self) -> str:
        """The host of its address."""
        return Fn.select(2, Fn.split("/", self.url))

    def _add_route(self, route: str, integration: HttpLambdaIntegration, authorizer: IHttpRouteAuthorizer) -> None:
        method, path = route.split(" ")
        added = self.api.add_routes(
            path=path, methods=[HttpMethod[method]], integration=integration, authorizer=authorizer
        )
        if route in PUBLIC:
            acknowledge(added[0], "AwsSolutions-APIG4", "says that the service is up, or what it offers: no data")

    def _add_stage(self, settings: InfraSettings) -> None:
        logs = LogGroup(self, "access-logs", retention=settings.log_retention, removal_policy=settings.removal_policy)
        HttpStage(
            self,
            "stage",
            http_api=self.api,
            stage_name="$default",
            auto_deploy=True,
            throttle=ThrottleSettings(rate_limit=settings.request_rate, burst_limit=settings.request_burst),
            access_log_settings=AccessLog(logs, LOGGED),
            domain_mapping=self._mapping(settings),
        )
        self.refusals = {status: self._count(logs, status, name, settings) for status, name in REFUSALS.items()}

    def _mapping(self, settings: InfraSettings) -> DomainMappingOptions | None:
        if not settings.domain:
            return None
        return DomainMappingOptions(domain_name=ApiDomain(self, "domain", Stack.of(self), settings.domain))

    def _count(self, logs: LogGroup, status: int, name: str, settings: InfraSettings) -> Metric:
        """How many requests were answered with this status, per period."""
        counter = MetricFilter(
            self,
            name,
            log_group=logs,
            filter_pattern=FilterPattern.string_value("$.status", "=", str(status)),
            metric_namespace=settings.metrics_namespace,
            metric_name=name,
        )
        return counter.metric(statistic="Sum", period=PERIOD)


def _cors(origins: Sequence[str]) -> CorsPreflightOptions | None:
    """What browsers let pages of these origins do; without any, nothing. The emulator gets it wrong."""
    if not origins:
        return None
    methods = sorted({route.split(" ")[0] for routes in ROUTES.values() for route in routes})
    return CorsPreflightOptions(
        allow_origins=list(origins),
        allow_methods=[CorsHttpMethod[method] for method in methods],
        allow_headers=["authorization", "content-type", "idempotency-key", "if-match", "if-none-match"],
        expose_headers=[*CONSUMED, "etag", "x-after", "retry-after"],
        max_age=Duration.hours(1),
    )
