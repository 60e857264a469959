"""The run's own user, in every group that may write. An administrator creates it, and deletes it at the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ops import passwords
from ops.identity import Identity
from verify.corner import Corner
from verify.target import Target

GROUPS = ("ingest", "import", "write")


@dataclass(frozen=True)
class User:
    """The user who calls the API during the run."""

    identity: Identity
    name: str
    password: str = field(repr=False)

    def token(self) -> str:
        """A new access token, good for a quarter of an hour."""
        return self.identity.token(self.name, self.password)


@contextmanager
def user(target: Target, corner: Corner) -> Iterator[User]:
    """Create a user with the corner's name, and delete it after the block. The password is shown to nobody."""
    outputs = target.outputs
    identity = Identity(target.client("cognito-idp"), outputs["UserPoolId"], outputs["UserPoolClientId"])
    made = User(identity, corner.name, passwords.new())
    identity.create(made.name, made.password)
    try:
        identity.set_password(made.name, made.password)
        identity.join(made.name, GROUPS)
        yield made
    finally:
        identity.delete(made.name)
