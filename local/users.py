"""The users of the demo: one for each group of the API, and one without a group."""

from collections.abc import Iterable
from typing import Any

from local.cloud import Cloud
from local.deploy import Outputs

# Name and group. The password protects nothing: the users exist only on this machine's local cloud.
DEMO_USERS: dict[str, str | None] = {
    "sensor": "ingest",
    "importer": "import",
    "app": "write",
    "admin": "admin",
    "guest": None,
}
PASSWORD = "Edgewise-demo-1"


def create_users(cloud: Cloud, outputs: Outputs) -> None:
    """Create every demo user in the deployed pool."""
    for name, group in DEMO_USERS.items():
        create_user(cloud, outputs, name, (group,) if group else ())


def create_user(cloud: Cloud, outputs: Outputs, name: str, groups: Iterable[str]) -> None:
    """Create one user with the demo's password, in some groups."""
    cognito, pool = cloud.client("cognito-idp"), outputs["UserPoolId"]
    # Otherwise the emulator invents a temporary password that the pool refuses as too short.
    cognito.admin_create_user(UserPoolId=pool, Username=name, MessageAction="SUPPRESS", TemporaryPassword=PASSWORD)
    cognito.admin_set_user_password(UserPoolId=pool, Username=name, Password=PASSWORD, Permanent=True)
    for group in groups:
        cognito.admin_add_user_to_group(UserPoolId=pool, Username=name, GroupName=group)


def token(cloud: Cloud, outputs: Outputs, name: str) -> str:
    """An access token of a demo user, valid for an hour; raises botocore's ClientError for an unknown user."""
    answer: dict[str, Any] = cloud.client("cognito-idp").admin_initiate_auth(
        UserPoolId=outputs["UserPoolId"],
        ClientId=outputs["UserPoolClientId"],
        AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": name, "PASSWORD": PASSWORD},
    )
    return str(answer["AuthenticationResult"]["AccessToken"])
