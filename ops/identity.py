"""The users of a deployed pool: made, put into groups, signed in and deleted with the credentials of the account."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from botocore.exceptions import ClientError

from ops.stage import Stage


@dataclass(frozen=True)
class Identity:
    """A user pool with its app client; `cognito` is a boto3 client. Every method raises botocore's ClientError."""

    cognito: Any
    pool: str
    client: str

    @classmethod
    def of_stage(cls, stage: Stage) -> Self:
        """The pool of a deployed stage; raises StageError."""
        outputs = stage.outputs("api", "UserPoolId", "UserPoolClientId")
        return cls(stage.client("cognito-idp"), outputs["UserPoolId"], outputs["UserPoolClientId"])

    def knows(self, name: str) -> bool:
        """Whether there is such a user."""
        try:
            self.cognito.admin_get_user(UserPoolId=self.pool, Username=name)
        except ClientError as error:
            if error.response["Error"]["Code"] == "UserNotFoundException":
                return False
            raise
        return True

    def create(self, name: str, password: str) -> None:
        """Make a new user, who can't sign in before `set_password`. No message is sent."""
        # The emulator invents a temporary password that the pool refuses: too short.
        temporary = {"MessageAction": "SUPPRESS", "TemporaryPassword": password}
        self.cognito.admin_create_user(UserPoolId=self.pool, Username=name, **temporary)

    def set_password(self, name: str, password: str) -> None:
        """Give the user the password for good."""
        self.cognito.admin_set_user_password(UserPoolId=self.pool, Username=name, Password=password, Permanent=True)

    def ensure(self, name: str, password: str) -> None:
        """Make the user unless there is one already, and give it the password for good."""
        try:
            self.create(name, password)
        except ClientError as error:
            # Perhaps by the first copy of this very call.
            if error.response["Error"]["Code"] != "UsernameExistsException":
                raise
        self.set_password(name, password)

    def delete(self, name: str) -> None:
        """Delete the user; its tokens stay valid until they expire."""
        self.cognito.admin_delete_user(UserPoolId=self.pool, Username=name)

    def join(self, name: str, groups: Iterable[str]) -> None:
        """Add the user to groups; the user stays in all others."""
        for group in groups:
            self.cognito.admin_add_user_to_group(UserPoolId=self.pool, Username=name, GroupName=group)

    def leave(self, name: str, groups: Iterable[str]) -> None:
        """Remove the user from groups; tokens of before still have them."""
        for group in groups:
            self.cognito.admin_remove_user_from_group(UserPoolId=self.pool, Username=name, GroupName=group)

    def disable(self, name: str) -> None:
        """Let the user get no more tokens; those of before stay valid until they end."""
        self.cognito.admin_disable_user(UserPoolId=self.pool, Username=name)

    def sub(self, name: str) -> str:
        """What no other user ever has."""
        found = self.cognito.admin_get_user(UserPoolId=self.pool, Username=name)
        return next(str(each["Value"]) for each in found["UserAttributes"] if each["Name"] == "sub")

    def token(self, name: str, password: str) -> str:
        """An access token of the user, good for a quarter of an hour."""
        answer = self.cognito.admin_initiate_auth(
            UserPoolId=self.pool,
            ClientId=self.client,
            AuthFlow="ADMIN_USER_PASSWORD_AUTH",
            AuthParameters={"USERNAME": name, "PASSWORD": password},
        )
        return str(answer["AuthenticationResult"]["AccessToken"])
