"""Checks before a route is called: the caller, the caller's groups, and the media type of the body."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from edgewise import Millis
from edgewise.times import SECOND
from functions.errors import ForbiddenError, TokenRefusedError, UnsupportedMediaTypeError
from functions.system import Route

JSON = "application/json"
# HTTP APIs pass a list claim as the text `[ingest admin]`. Between two spaces is one whole name: Cognito allows any
# punctuation in the name of a group, but no space (CreateGroup: [\p{L}\p{M}\p{S}\p{N}\p{P}]+). It omits an empty list.
_NO_GROUPS = "[]"
_SECONDS = re.compile("[0-9]{1,12}")
_GROUPS = re.compile(r"\[(\S+( \S+)*)?\]")


@dataclass(frozen=True)
class Caller:
    """The caller, according to the token that the API's authorizer has verified.

    What is somebody's belongs to the `sub`, which no other user ever gets. The `name` is for people to read: who is
    deleted may be made again under it, as another user.
    """

    sub: str
    name: str
    groups: frozenset[str]
    issued: Millis

    def must_be_in(self, group: str, action: str) -> None:
        """Raises ForbiddenError unless the caller belongs to the group."""
        if group not in self.groups:
            raise ForbiddenError(group, action)


def caller(event: Mapping[str, Any]) -> Caller:
    """The caller of a request; raises TokenRefusedError unless the token is an access token of a user."""
    claims = _claims(event)
    # An id token says who somebody is, to the page where that person signed in: it lets nobody in.
    if claims.get("token_use") != "access":
        raise TokenRefusedError("is not an access token")
    sub, name = claims.get("sub"), claims.get("username")
    if not (isinstance(sub, str) and isinstance(name, str) and sub and name):
        raise TokenRefusedError("names no user")
    return Caller(sub, name, _groups(claims.get("cognito:groups", _NO_GROUPS)), _instant(claims, "iat"))


def _groups(claim: object) -> frozenset[str]:
    """The groups in a token's claim, by their whole names; raises TokenRefusedError if these are unclear."""
    if not isinstance(claim, str) or not _GROUPS.fullmatch(claim):
        raise TokenRefusedError("has groups whose names can't be told apart")
    return frozenset(claim[1:-1].split())


def name_of(event: Mapping[str, Any]) -> str | None:
    """The name of the user in the token; None if there is no token, or if it names no user."""
    return _claims(event).get("username") or None


def sub_of(event: Mapping[str, Any]) -> str | None:
    """Likewise the user's sub."""
    return _claims(event).get("sub") or None


def _claims(event: Mapping[str, Any]) -> Mapping[str, Any]:
    return event["requestContext"].get("authorizer", {}).get("jwt", {}).get("claims") or {}


def token_ends(event: Mapping[str, Any]) -> Millis:
    """When the token of a request ends; raises TokenRefusedError if it does not say so."""
    return _instant(_claims(event), "exp")


def _instant(claims: Mapping[str, Any], name: str) -> Millis:
    """An instant in a token, which HTTP APIs pass as a text of whole seconds."""
    seconds = claims.get(name)
    if not isinstance(seconds, str) or not _SECONDS.fullmatch(seconds):
        raise TokenRefusedError(f"does not say {name}")
    return int(seconds) * SECOND


def admit(event: Mapping[str, Any], routes: Mapping[str, Route], revoked: Callable[[Caller], bool]) -> Caller | None:
    """The caller; None where anybody may call.

    Raises an EdgewiseError for a caller who may not call the route, before the request's content is validated.
    """
    route, known = routes.get(event.get("routeKey", "")), None
    if route and not route.public:
        known = caller(event)
        if revoked(known):
            raise TokenRefusedError("was taken back")
        if route.group:
            known.must_be_in(route.group, f"call {route.name}")
    kind = event.get("headers", {}).get("content-type", JSON)
    if event.get("body") and not kind.strip().lower().startswith(JSON):
        raise UnsupportedMediaTypeError(kind)
    return known
