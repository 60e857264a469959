"""What CloudFront serves under the console's origin: the page, the API below /api, sockets at /live."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from aws_cdk import Aws
from aws_cdk.aws_certificatemanager import Certificate
from aws_cdk.aws_cloudfront import (
    AllowedMethods,
    BehaviorOptions,
    CachePolicy,
    Distribution,
    Function,
    FunctionAssociation,
    FunctionCode,
    FunctionEventType,
    FunctionRuntime,
    HttpVersion,
    OriginRequestPolicy,
    PriceClass,
    S3OriginAccessControl,
    SecurityPolicyProtocol,
    ViewerProtocolPolicy,
)
from aws_cdk.aws_cloudfront_origins import HttpOrigin, S3BucketOrigin
from aws_cdk.aws_s3 import IBucket
from constructs import Construct

from infra.console.headers import PageHeaders
from infra.console.settings import OWN, ConsoleSettings
from infra.console.web_acl import WebAcl
from infra.nag import acknowledge
from infra.settings import InfraSettings

_HERE: Final = Path(__file__).parent


@dataclass(frozen=True)
class Origins:
    """Where the answers come from; `sign_in_url`: where the page may get tokens."""

    bucket: IBucket
    api_domain: str
    socket_domain: str | None
    sign_in_url: str


class ConsoleDistribution(Construct):
    """One distribution; `domain_name` is the one that CloudFront gives it."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: InfraSettings,
        console: ConsoleSettings,
        origins: Origins,
    ) -> None:
        super().__init__(scope, construct_id)
        self._settings, self._origins = settings, origins
        behaviors = {"/api/*": self._passed_on(origins.api_domain, self._edge_function("api"))}
        if origins.socket_domain:
            behaviors["/live"] = self._passed_on(origins.socket_domain)
        distribution = Distribution(
            self,
            "distribution",
            comment=settings.prefix,
            default_behavior=self._page(),
            additional_behaviors=behaviors,
            http_version=HttpVersion.HTTP2_AND_3,
            # The cheapest places, in North America and Europe; from elsewhere it takes a little longer.
            price_class=PriceClass.PRICE_CLASS_100,
            web_acl_id=self._web_acl(console),
            **self._own(console),
        )
        _acknowledge(distribution, console)
        self.domain_name = distribution.distribution_domain_name

    def _web_acl(self, console: ConsoleSettings) -> str | None:
        return WebAcl(self, "web-acl", self._settings).arn if console.web_acl == OWN else console.web_acl

    def _page(self) -> BehaviorOptions:
        name = f"{self._settings.prefix}-{Aws.REGION}"
        access = S3OriginAccessControl(self, "access", origin_access_control_name=name)
        return BehaviorOptions(
            origin=S3BucketOrigin.with_origin_access_control(self._origins.bucket, origin_access_control=access),
            viewer_protocol_policy=ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
            # As long as each file's own `cache-control` says.
            cache_policy=CachePolicy.CACHING_OPTIMIZED,
            response_headers_policy=PageHeaders(self, "headers", self._settings, self._origins.sign_in_url),
            function_associations=self._edge_function("page"),
        )

    def _passed_on(self, domain: str, functions: list[FunctionAssociation] | None = None) -> BehaviorOptions:
        """All of a request but its host, by which API Gateway knows its APIs; nothing is cached."""
        return BehaviorOptions(
            origin=HttpOrigin(domain),
            # A request with a token has no business without TLS, not even to be redirected.
            viewer_protocol_policy=ViewerProtocolPolicy.HTTPS_ONLY,
            allowed_methods=AllowedMethods.ALLOW_ALL,
            cache_policy=CachePolicy.CACHING_DISABLED,
            origin_request_policy=OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
            function_associations=functions,
        )

    def _edge_function(self, name: str) -> list[FunctionAssociation]:
        """The function in the file of this name, before each request."""
        code = FunctionCode.from_file(file_path=str(_HERE / f"{name}.js"))
        function = Function(self, name, code=code, runtime=FunctionRuntime.JS_2_0)
        return [FunctionAssociation(function=function, event_type=FunctionEventType.VIEWER_REQUEST)]

    def _own(self, console: ConsoleSettings) -> dict[str, Any]:
        """A domain of one's own and its certificate, if there is one."""
        if not console.domain or not console.certificate:
            return {}
        return {
            "domain_names": [console.domain],
            "certificate": Certificate.from_certificate_arn(self, "certificate", console.certificate),
            "minimum_protocol_version": SecurityPolicyProtocol.TLS_V1_2_2025,
        }


def _acknowledge(distribution: Distribution, console: ConsoleSettings) -> None:
    """What AWS's rules ask for besides, and why there is none of it."""
    for rule, reason in {
        "AwsSolutions-CFR1": "people sign in from wherever they are",
        "AwsSolutions-CFR3": "the API logs its requests; addresses of pages hold codes that can be changed into tokens",
    }.items():
        acknowledge(distribution, rule, reason)
    if not console.web_acl:
        because = "the API has its own throttles, and files need none; a WAF costs 8 USD a month and more"
        acknowledge(distribution, "AwsSolutions-CFR2", because)
    if not console.domain:
        acknowledge(
            distribution, "AwsSolutions-CFR4", "CloudFront fixes this for its own domain; browsers take TLS 1.3"
        )
