"""The users of the API, as Cognito knows them by their names."""

from functools import cache
from typing import Any, NamedTuple

from botocore.exceptions import ClientError

from edgewise import aws


class User(NamedTuple):
    """Somebody: the `sub` is that user's for ever, the `name` may be another's later."""

    sub: str
    name: str


@cache
def client() -> Any:
    """The client."""
    return aws.client("cognito-idp")


def find(pool: str, name: str) -> User | None:
    """The user who has this name now; None if nobody has."""
    try:
        found = client().admin_get_user(UserPoolId=pool, Username=name)
    except ClientError as error:
        if error.response["Error"]["Code"] == "UserNotFoundException":
            return None
        raise
    return User(next(each["Value"] for each in found["UserAttributes"] if each["Name"] == "sub"), found["Username"])
