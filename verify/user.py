"""The run's own user: made by an administrator's rights, in every group that may write, deleted at the end."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from verify.corner import Corner
from verify.target import Target

GROUPS = ("ingest", "import", "write")


@contextmanager
def user(target: Target, corner: Corner) -> Iterator["User"]:
    """A user called like the corner, for the length of a block. Nobody is ever told the password."""
    cognito, pool = target.client("cognito-idp"), target.outputs["UserPoolId"]
    password = f"{secrets.token_urlsafe(30)}aA1-"
    made = {"UserPoolId": pool, "Username": corner.name}
    cognito.admin_create_user(**made, MessageAction="SUPPRESS", TemporaryPassword=password)
    try:
        cognito.admin_set_user_password(**made, Password=password, Permanent=True)
        for group in GROUPS:
            cognito.admin_add_user_to_group(**made, GroupName=group)
        yield User(target, corner, password)
    finally:
        cognito.admin_delete_user(**made)


class User:
    """Who calls the API during the run."""

    def __init__(self, target: Target, corner: Corner, password: str) -> None:
        self._target, self._corner, self._password = target, corner, password

    def token(self) -> str:
        """A new access token, good for an hour."""
        answer = self._target.client("cognito-idp").admin_initiate_auth(
            UserPoolId=self._target.outputs["UserPoolId"],
            ClientId=self._target.outputs["UserPoolClientId"],
            AuthFlow="ADMIN_USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": self._corner.name, "PASSWORD": self._password},
        )
        return str(answer["AuthenticationResult"]["AccessToken"])
