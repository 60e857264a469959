"""The run's own user: whatever happens after it was made, it is deleted."""

from typing import Any

import pytest

from verify.corner import Corner
from verify.target import Target
from verify.user import user

OUTPUTS = {"UserPoolId": "pool", "UserPoolClientId": "client"}


class RefusedError(Exception):
    """In place of AWS's refusals."""


class Cognito:
    """Notes what it is asked, and refuses one operation."""

    def __init__(self, refused: str = "") -> None:
        self.refused, self.asked = refused, list[str]()

    def __getattr__(self, operation: str) -> Any:
        def call(**parameters: Any) -> dict[str, Any]:
            self.asked.append(operation)
            assert parameters["UserPoolId"] == "pool"
            if operation == self.refused:
                raise RefusedError
            return {"AuthenticationResult": {"AccessToken": parameters.get("AuthParameters", {}).get("USERNAME")}}

        return call


def target(cognito: Cognito) -> Target:
    return Target("dev", lambda _: cognito, OUTPUTS, "https://api")


def test_it_signs_in_under_the_corners_name_and_is_deleted_after_the_block() -> None:
    cognito, corner = Cognito(), Corner.new()
    with user(target(cognito), corner) as made:
        assert made.token() == corner.name
        assert made.password not in repr(made)
        assert "admin_delete_user" not in cognito.asked
    assert cognito.asked[-1] == "admin_delete_user"


@pytest.mark.parametrize("refused", ["admin_set_user_password", "admin_add_user_to_group"])
def test_it_is_deleted_if_it_can_not_be_set_up(refused: str) -> None:
    cognito = Cognito(refused)
    with pytest.raises(RefusedError), user(target(cognito), Corner.new()):
        pass
    assert cognito.asked[-2:] == [refused, "admin_delete_user"]


def test_a_user_that_was_never_made_is_not_deleted() -> None:
    cognito = Cognito("admin_create_user")
    with pytest.raises(RefusedError), user(target(cognito), Corner.new()):
        pass
    assert cognito.asked == ["admin_create_user"]
