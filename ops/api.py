"""A client of the deployed API: exact numbers, errors with the server's message, lists page by page.

It repeats requests that a busy server refused, or did not answer to the end, so use it only for requests that may be
repeated.
"""

import math
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import quote, unquote

import requests
from requests.adapters import HTTPAdapter

from functions.web.spelling import spell
from ops.errors import LocalError
from ops.retries import BROKEN, BUSY, Retries, is_refused

PAGE = 1000


class ApiError(LocalError):
    """The API refused a request; the message contains the response."""

    def __init__(self, response: requests.Response) -> None:
        super().__init__(_told(response))
        self.status = response.status_code


class BusyError(LocalError):
    """The server had no time for a request, however often it was sent."""


class UnreachableError(LocalError):
    """No server answers at the API's address."""

    def __init__(self, url: str, error: requests.RequestException) -> None:
        super().__init__(f"no answer from {url}: has the local cloud been stopped? ({type(error).__name__})")


@dataclass(frozen=True)
class Answer:
    """The response to a request, and what the request consumed according to the response's headers."""

    asked: str
    body: dict[str, Any]
    requests: str
    read_units: str
    write_units: str


class Api:
    """The API at an address, called as one user; as many threads may share it as it has connections.

    `token` gives a new token of the user: it is called again whenever the last one has ended.
    """

    _attempts = math.inf

    def __init__(self, url: str, token: Callable[[], str], connections: int) -> None:
        self._url, self._token = url, token
        self._retries = Retries()
        self._session = requests.Session()
        self._session.mount("http://", HTTPAdapter(pool_maxsize=connections))
        self._sign_in()

    def get(self, *path: str, **parameters: str | int) -> dict[str, Any]:
        """The response to a GET; numbers with a decimal point are Decimals. Raises ApiError."""
        return self.call("GET", *path, **parameters).body

    def hurried(self) -> Self:
        """The same client, which gives a busy server up after a second attempt; it then raises BusyError."""
        hurried = copy(self)
        hurried._attempts = 2
        return hurried

    def post(self, *path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The response to a POST; raises ApiError."""
        return self.call("POST", *path, body=body).body

    def put(self, *path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The response to a PUT; raises ApiError."""
        return self.call("PUT", *path, body=body).body

    def call(self, method: str, *path: str, body: Any = None, headers: Any = None, **parameters: str | int) -> Answer:
        """The response to any request, with its cost; raises ApiError, BusyError or UnreachableError.

        The request is repeated while the server is busy, as long as it answers anybody; the same 500, twice.
        """
        send = partial(
            self._session.request,
            method,
            self._address(path),
            params=parameters,
            json=body,
            headers=headers,
            timeout=60,
        )
        try:
            response = self._sent(send)
        except BROKEN as error:
            if is_refused(error):
                raise UnreachableError(self._url, error) from error
            raise BusyError(f"{method} {'/'.join(path)}: no whole answer came in time ({error})") from error
        if not response.ok:
            raise BusyError(_told(response)) if response.status_code in BUSY else ApiError(response)
        cost = (response.headers[f"x-consumed-{kind}"] for kind in ("requests", "read-units", "write-units"))
        body = response.json(parse_float=Decimal) if response.content else {}
        asked = unquote(str(response.request.url).removeprefix(self._url))
        return Answer(asked, body, *cost)

    def _sign_in(self) -> None:
        self._session.headers["authorization"] = f"Bearer {self._token()}"

    def _sent(self, send: Callable[[], requests.Response]) -> requests.Response:
        response = self._retries.persistent(send, self._attempts)
        if response.status_code != HTTPStatus.UNAUTHORIZED:
            return response
        self._sign_in()
        return self._retries.persistent(send, self._attempts)

    def pages(self, *path: str, **parameters: str | int) -> Iterator[dict[str, Any]]:
        """The responses to a GET of a list, page by page until there is no further cursor."""
        page = self.get(*path, limit=PAGE, **parameters)
        yield page
        while page["cursor"]:
            page = self.get(*path, limit=PAGE, cursor=page["cursor"], **parameters)
            yield page

    def _address(self, path: tuple[str, ...]) -> str:
        return "/".join([self._url, *(quote(spell(part), safe="") for part in path)])


def _told(response: requests.Response) -> str:
    request = f"{response.request.method} {response.request.path_url}"
    return f"{request}: {response.status_code} {response.text[:500]}"


def after_version(version: int) -> dict[str, str]:
    """The headers of a write that requires this version to be the newest; 0 requires that there is no version."""
    return {"if-match": f'"{version}"'} if version else {"if-none-match": "*"}
