"""The headers of infra/console_headers.py, as CloudFront adds them to each file of the page."""

from collections.abc import Mapping
from typing import Final

from aws_cdk import Aws, Duration
from aws_cdk.aws_cloudfront import (
    HeadersReferrerPolicy,
    ResponseCustomHeader,
    ResponseCustomHeadersBehavior,
    ResponseHeadersContentSecurityPolicy,
    ResponseHeadersContentTypeOptions,
    ResponseHeadersPolicy,
    ResponseHeadersReferrerPolicy,
    ResponseHeadersStrictTransportSecurity,
    ResponseSecurityHeadersBehavior,
)
from constructs import Construct

from infra.console_headers import of_pages
from infra.settings import InfraSettings

# CloudFront has fields for these, and refuses them among the others.
_CSP, _HSTS = "content-security-policy", "strict-transport-security"
_NOSNIFF, _REFERRER = "x-content-type-options", "referrer-policy"
_FIELDS: Final = {_CSP, _HSTS, _NOSNIFF, _REFERRER}


class PageHeaders(ResponseHeadersPolicy):
    """One policy for all files."""

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings, sign_in_origin: str) -> None:
        headers = of_pages(sign_in_origin)
        super().__init__(
            scope,
            construct_id,
            # CloudFront's names are the account's, not the region's.
            response_headers_policy_name=f"{settings.prefix}-{Aws.REGION}",
            security_headers_behavior=_fields(headers),
            custom_headers_behavior=ResponseCustomHeadersBehavior(
                custom_headers=[
                    ResponseCustomHeader(header=name, value=value, override=True)
                    for name, value in headers.items()
                    if name not in _FIELDS
                ]
            ),
        )


def _fields(headers: Mapping[str, str]) -> ResponseSecurityHeadersBehavior:
    seconds = int(headers[_HSTS].removeprefix("max-age="))
    referrer = HeadersReferrerPolicy[headers[_REFERRER].replace("-", "_").upper()]
    return ResponseSecurityHeadersBehavior(
        content_security_policy=ResponseHeadersContentSecurityPolicy(
            content_security_policy=headers[_CSP], override=True
        ),
        # Its only value is the one that the page has.
        content_type_options=ResponseHeadersContentTypeOptions(override=True),
        referrer_policy=ResponseHeadersReferrerPolicy(referrer_policy=referrer, override=True),
        strict_transport_security=ResponseHeadersStrictTransportSecurity(
            access_control_max_age=Duration.seconds(seconds), override=True
        ),
    )
