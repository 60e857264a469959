"""How people sign in to the console: a page of Cognito's, and the app client that sends them there."""

from typing import Final, cast

import jsii
from aws_cdk import Aws, Duration, IStableListProducer, Lazy
from aws_cdk.aws_cognito import (
    CfnUserPoolClient,
    CognitoDomainOptions,
    OAuthFlows,
    OAuthScope,
    OAuthSettings,
    UserPool,
    UserPoolClientIdentityProvider,
)
from constructs import Construct

from infra.settings import InfraSettings

# The console's own address to which Cognito sends people back, with a code; web/src/session/tokens.ts has it too.
SIGNED_IN: Final = "/signed-in"
# Who is removed in Cognito itself is out when the last token ends.
TOKENS: Final = Duration.minutes(15)


class SignIn(Construct):
    """Without a secret, which a page can't keep: a code is worth nothing to whoever did not ask for it (PKCE)."""

    def __init__(self, scope: Construct, construct_id: str, pool: UserPool, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id)
        self._origins = list(settings.console_origins)
        # Prefixes are unique in a region, over all accounts.
        prefix = f"{settings.prefix}-{Aws.ACCOUNT_ID}"
        self.domain = pool.add_domain("domain", cognito_domain=CognitoDomainOptions(domain_prefix=prefix))
        self.client = pool.add_client(
            "console",
            o_auth=OAuthSettings(
                flows=OAuthFlows(authorization_code_grant=True),
                scopes=[OAuthScope.OPENID],
                callback_urls=Lazy.list(_Addresses(self._origins, SIGNED_IN)),
                logout_urls=Lazy.list(_Addresses(self._origins, "/")),
            ),
            supported_identity_providers=[UserPoolClientIdentityProvider.COGNITO],
            generate_secret=False,
            prevent_user_existence_errors=True,
            enable_token_revocation=True,
            access_token_validity=TOKENS,
            id_token_validity=TOKENS,
            refresh_token_validity=Duration.hours(12),  # a working day
        )
        # CDK can't say "none besides the page": without flows of its own, Cognito would also allow SRP.
        cast(CfnUserPoolClient, self.client.node.default_child).explicit_auth_flows = ["ALLOW_REFRESH_TOKEN_AUTH"]

    def send_back(self, origin: str) -> None:
        """Also send people back to this origin, which may be known during the deployment only."""
        self._origins.append(origin)


@jsii.implements(IStableListProducer)
class _Addresses:
    """The addresses at a path of all origins, once all of them are known."""

    def __init__(self, origins: list[str], path: str) -> None:
        self._origins, self._path = origins, path

    def produce(self) -> list[str]:
        return [f"{origin}{self._path}" for origin in self._origins]
