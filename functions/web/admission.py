"""Checks before a route is called: the caller, the caller's groups, and the media type of the body."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from functions.errors import ForbiddenError, UnsupportedMediaTypeError
from functions.system import Route
from functions.times import SECOND, Millis

JSON = "application/json"


@dataclass(frozen=True)
class Caller:
    """The caller, according to the token that the API's authorizer has verified."""

    user: str
    groups: frozenset[str]

    def must_be_in(self, group: str, action: str) -> None:
        """Raises ForbiddenError unless the caller belongs to the group."""
        if group not in self.groups:
            raise ForbiddenError(group, action)


def caller(event: Mapping[str, Any]) -> Caller:
    """The caller of a request; raises ForbiddenError if the token names no user."""
    user = user_of(event)
    if not user:
        raise ForbiddenError("users", "call this route")
    # HTTP APIs flatten a list claim to the text `[ingest admin]`; other gateways pass the list.
    groups = re.findall(r"[^\s,\[\]\"']+", str(_claims(event).get("cognito:groups", "")))
    return Caller(user, frozenset(groups))


def user_of(event: Mapping[str, Any]) -> str | None:
    """The name of the user in the token; None if there is no token, or if it names no user."""
    claims = _claims(event)
    user = claims.get("cognito:username") or claims.get("username")
    return str(user) if user else None


def _claims(event: Mapping[str, Any]) -> Mapping[str, Any]:
    return event["requestContext"].get("authorizer", {}).get("jwt", {}).get("claims") or {}


def token_ends(event: Mapping[str, Any]) -> Millis:
    """When the token of a request ends; raises ForbiddenError if it does not say so."""
    ends = _claims(event).get("exp")
    if ends is None:
        raise ForbiddenError("users", "call this route with a token that never ends")
    return int(ends) * SECOND


def admit(event: Mapping[str, Any], routes: Mapping[str, Route]) -> None:
    """Raises ForbiddenError or UnsupportedMediaTypeError, before the request's content is validated."""
    route = routes.get(event.get("routeKey", ""))
    if route and route.group:
        caller(event).must_be_in(route.group, f"call {route.name}")
    kind = event.get("headers", {}).get("content-type", JSON)
    if event.get("body") and not kind.strip().lower().startswith(JSON):
        raise UnsupportedMediaTypeError(kind)
