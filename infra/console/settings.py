"""The settings of a stage's console."""

from typing import Annotated, Final, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from infra.patterns import HOST, certificate_in

# An access control list of the stage's own.
OWN: Final = "own"
ACL: Final = f"^({OWN}|arn:aws:wafv2:us-east-1:[0-9]{{12}}:global/webacl/[A-Za-z0-9_-]+/[a-f0-9-]+)$"


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class ConsoleSettings:
    """Where the console is served.

    `domain`: a domain of one's own; None: only the one that CloudFront gives. `certificate`: the ARN of the domain's
    certificate, which CloudFront takes from us-east-1 only. `web_acl`: what AWS WAF refuses before: by a list of the
    stage's own (infra/console/web_acl.py), or by the one with this ARN; None: nothing.
    """

    domain: Annotated[str, Field(pattern=HOST)] | None = None
    certificate: Annotated[str, Field(pattern=certificate_in("us-east-1"))] | None = None

    web_acl: Annotated[str, Field(pattern=ACL)] | None = None

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if (self.domain is None) != (self.certificate is None):
            raise ValueError("domain and certificate belong together")
        return self
