"""What `Resolver` relies on in Powertools beside its public interface: two private methods, which it overrides.

There is no public way to do the same: middlewares run when Powertools has validated a request already, and the class of
the event can't be given. `make lock` takes newer versions; one that breaks this fails here, by the name of the method.
"""

import inspect
from http import HTTPStatus
from typing import Any

import pytest
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.system import Rights, System
from functions.web import http
from tests.support.http import http_event

OVERRIDDEN = {"_to_proxy_event": ["self", "event"], "_call_route": ["self", "route", "route_arguments"]}


def test_nothing_else_of_powertools_is_overridden() -> None:
    own = {name for name, value in vars(http.Resolver).items() if inspect.isfunction(value) and name != "__init__"}
    assert {name for name in own if hasattr(APIGatewayHttpResolver, name)} == OVERRIDDEN.keys()


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_powertools_has_the_method_with_these_parameters(name: str) -> None:
    method = getattr(APIGatewayHttpResolver, name, None)
    assert method, f"Powertools has no {name} any more: functions/web/http.py overrides it in vain"
    assert list(inspect.signature(method).parameters) == OVERRIDDEN[name]


def test_powertools_calls_them_once_for_a_request_and_before_it_validates(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    for name in OVERRIDDEN:
        monkeypatch.setattr(http.Resolver, name, _told(name, seen))
    app = http.Resolver(System(name="tried", rights=Rights()))

    @app.get("/tried/<number>")
    def tried(number: int) -> None: ...

    def invalid(_: RequestValidationError) -> Response[str]:
        seen.append("validated")
        return Response(HTTPStatus.BAD_REQUEST)

    app.exception_handler(RequestValidationError)(invalid)
    app.resolve(http_event("GET /tried/{number}", {"number": "one"}, {}, None, None), LambdaContext())
    assert seen == ["_to_proxy_event", "_call_route", "validated"]


def _told(name: str, seen: list[str]) -> Any:
    """The method of Powertools, which notes that it was called."""
    original = getattr(APIGatewayHttpResolver, name)

    def method(self: Any, *arguments: Any) -> Any:
        seen.append(name)
        return original(self, *arguments)

    return method
