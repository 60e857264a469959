"""The users of the demo: one for each group of the API, and one in no group."""

from collections.abc import Iterable

from local.cloud import REPEATED, Cloud
from local.deploy import Outputs
from ops.identity import Identity

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
    identity = _identity(cloud, outputs)
    identity.ensure(name, PASSWORD)
    identity.join(name, groups)


def token(cloud: Cloud, outputs: Outputs, name: str) -> str:
    """An access token of a demo user, as in Identity; raises botocore's ClientError for an unknown user."""
    return _identity(cloud, outputs).token(name, PASSWORD)


def _identity(cloud: Cloud, outputs: Outputs) -> Identity:
    return Identity(cloud.client("cognito-idp", REPEATED), outputs["UserPoolId"], outputs["UserPoolClientId"])
