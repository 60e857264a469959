"""A domain of the API's own: beside the address that AWS gives it, or instead of it."""

from typing import Annotated

from aws_cdk import CfnOutput
from aws_cdk.aws_apigatewayv2 import DomainName, SecurityPolicy
from aws_cdk.aws_certificatemanager import Certificate
from constructs import Construct
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from infra.patterns import HOST, certificate_in


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class DomainSettings:
    """Where else the API is served.

    `certificate`: the ARN of the domain's certificate, of the stage's region. `alone`: whether the API answers at this
    domain alone, so that nobody comes past it; whatever names the API then names the domain.
    """

    name: Annotated[str, Field(pattern=HOST)]
    certificate: Annotated[str, Field(pattern=certificate_in("[a-z0-9-]+"))]
    alone: bool = False

    @property
    def region(self) -> str:
        """The region of the certificate."""
        return self.certificate.split(":")[3]


class ApiDomain(DomainName):
    """The domain; its outputs say where its record in DNS must point."""

    def __init__(self, scope: Construct, construct_id: str, stack: Construct, settings: DomainSettings) -> None:
        super().__init__(
            scope,
            construct_id,
            domain_name=settings.name,
            certificate=Certificate.from_certificate_arn(scope, "certificate", settings.certificate),
            security_policy=SecurityPolicy.TLS_1_2,
        )
        CfnOutput(stack, "ApiDomain", value=settings.name)
        CfnOutput(stack, "ApiDomainTarget", value=self.regional_domain_name)
