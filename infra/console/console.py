"""The console of a stage, as a part of the stack of its API (decision 69)."""

from aws_cdk import CfnOutput
from constructs import Construct

from infra.console.distribution import ConsoleDistribution, Origins
from infra.console.files import PageBucket, PageFiles
from infra.console.settings import ConsoleSettings
from infra.settings import InfraSettings
from infra.sign_in import SignIn


class Console(Construct):
    """Everything that a stage with `[console]` has besides.

    `api_domain`: where the API is called. `socket_domain`: that of the WebSocket API, whose stage is called `live`;
    None: there is none.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        settings: InfraSettings,
        console: ConsoleSettings,
        api_domain: str,
        sign_in: SignIn,
        socket_domain: str | None = None,
    ) -> None:
        super().__init__(scope, construct_id)
        bucket, sign_in_url = PageBucket(self, "page"), sign_in.domain.base_url()
        origins = Origins(bucket, api_domain, socket_domain, sign_in_url)
        served = ConsoleDistribution(self, "distribution", settings, console, origins)
        for domain in filter(None, (served.domain_name, console.domain)):
            sign_in.send_back(f"https://{domain}")
        config = {
            "clientId": sign_in.client.user_pool_client_id,
            "signInUrl": sign_in_url,
            "live": socket_domain is not None,
            "search": settings.search is not None,
            "faults": settings.faults,
            "stage": settings.stage,
        }
        PageFiles(self, "files", settings, bucket, config)
        CfnOutput(scope, "ConsoleUrl", value=f"https://{console.domain or served.domain_name}")
        CfnOutput(scope, "ConsoleDomain", value=served.domain_name)
