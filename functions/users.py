"""The users of the API, as Cognito knows them by their names."""

from functools import cache
from typing import Any, NamedTuple

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from edgewise import aws
from edgewise.dynamodb.table import CONFIG
from edgewise.observability import logger
from functions.errors import UsersUnavailableError
from functions.settings import HTTP_TIMEOUT_SECONDS

# Somebody waits for the answer, which may take several look-ups.
_CONFIG = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 1}, connect_timeout=1, read_timeout=2))
# Nobody has the name, or nobody can have such a name.
_OF_NOBODY = frozenset({"UserNotFoundException", "InvalidParameterException"})


class User(NamedTuple):
    """Somebody: the `sub` is that user's for ever, the `name` may be another's later."""

    sub: str
    name: str


@cache
def client() -> Any:
    """The client."""
    return aws.client("cognito-idp", _CONFIG)


def sub_of(pool: str, name: str) -> str | None:
    """The `sub` of the user who has this name now; None if nobody has. Raises UsersUnavailableError."""
    try:
        found = client().admin_get_user(UserPoolId=pool, Username=name)
    except (BotoCoreError, ClientError) as error:
        if isinstance(error, ClientError) and error.response["Error"]["Code"] in _OF_NOBODY:
            return None
        logger.warning("no answer from the user pool", error=str(error))
        raise UsersUnavailableError(HTTP_TIMEOUT_SECONDS) from error
    return next(str(each["Value"]) for each in found["UserAttributes"] if each["Name"] == "sub")
