"""The users of the demo: one for each group of the API, and one in no group."""

from collections.abc import Iterable

from ops.api import Api
from ops.identity import Identity
from ops.local_cloud import REPEATED, Cloud, Outputs
from ops.passwords import DEMO_USERS, PASSWORD
from ops.threads import PARALLEL


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


def client(cloud: Cloud, outputs: Outputs, name: str) -> Api:
    """A client of the API for one of the demo users."""
    return Api(outputs.api_url, lambda: token(cloud, outputs, name), PARALLEL)


def _identity(cloud: Cloud, outputs: Outputs) -> Identity:
    return Identity(cloud.client("cognito-idp", REPEATED), outputs["UserPoolId"], outputs["UserPoolClientId"])
