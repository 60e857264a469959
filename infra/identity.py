"""The users of the API: a Cognito user pool, the groups that routes require, and the app clients."""

from typing import Final

from aws_cdk import Duration
from aws_cdk.aws_cognito import (
    AccountRecovery,
    AuthFlow,
    CfnUserPoolGroup,
    FeaturePlan,
    Mfa,
    MfaSecondFactor,
    PasswordPolicy,
    SignInAliases,
    StandardThreatProtectionMode,
    UserPool,
    UserPoolClient,
)
from constructs import Construct

from functions.system import GROUPS
from infra.nag import acknowledge
from infra.settings import InfraSettings
from infra.sign_in import TOKENS, SignIn

PASSWORDS: Final = PasswordPolicy(
    min_length=14,
    require_lowercase=True,
    require_uppercase=True,
    require_digits=True,
    require_symbols=True,
    temp_password_validity=Duration.days(1),
)


class Identity(Construct):
    """An administrator creates the users. Their programs sign in with SRP, or with the administrator's flow.

    People also sign in on a page, if the stage has a console.
    """

    def __init__(self, scope: Construct, construct_id: str, settings: InfraSettings) -> None:
        super().__init__(scope, construct_id)
        self.pool = self._pool(settings)
        for group in GROUPS:
            CfnUserPoolGroup(self, f"group-{group}", user_pool_id=self.pool.user_pool_id, group_name=group)
        self.client = self.pool.add_client(
            "client",
            # SRP never sends the password, and the other flow also needs AWS credentials. The flow in which anyone may
            # try a password is left out.
            auth_flows=AuthFlow(user_srp=True, admin_user_password=True),
            disable_o_auth=True,
            generate_secret=False,  # browsers and devices could not keep one
            prevent_user_existence_errors=True,
            access_token_validity=TOKENS,
            id_token_validity=TOKENS,
            refresh_token_validity=Duration.days(1),
        )
        self.sign_in = SignIn(self, "sign-in", self.pool, settings) if settings.has_console else None

    @property
    def clients(self) -> list[UserPoolClient]:
        """The app clients whose tokens the API accepts."""
        return [self.client, *([self.sign_in.client] if self.sign_in else [])]

    def _pool(self, settings: InfraSettings) -> UserPool:
        pool = UserPool(
            self,
            "users",
            self_sign_up_enabled=False,
            sign_in_aliases=SignInAliases(username=True),
            sign_in_case_sensitive=False,
            account_recovery=AccountRecovery.NONE,
            password_policy=PASSWORDS,
            mfa=Mfa.OPTIONAL,
            mfa_second_factor=MfaSecondFactor(otp=True, sms=False),
            feature_plan=FeaturePlan.PLUS if settings.production else FeaturePlan.ESSENTIALS,
            standard_threat_protection_mode=(
                StandardThreatProtectionMode.FULL_FUNCTION if settings.production else None
            ),
            deletion_protection=settings.refuses_deletion,
            removal_policy=settings.removal_policy,
        )
        acknowledge(pool, "AwsSolutions-COG2", "devices and importers are users too, and cannot type a second factor")
        if not settings.production:
            acknowledge(pool, "AwsSolutions-COG8", "the Plus plan is paid per user; only production can be attacked")
        return pool
