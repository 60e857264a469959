"""A client of the deployed API: exact numbers, errors with what the server said, lists page by page."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from urllib.parse import quote

import requests
from requests.adapters import HTTPAdapter

from local.errors import LocalError

PAGE = 1000


class ApiError(LocalError):
    """The API refused a request; the message carries what it said."""

    def __init__(self, response: requests.Response) -> None:
        request = f"{response.request.method} {response.request.path_url}"
        super().__init__(f"{request}: {response.status_code} {response.text[:500]}")
        self.status = response.status_code


class Api:
    """The API at an address, with one user's token; may be used by as many threads as it has connections."""

    def __init__(self, url: str, token: str, connections: int) -> None:
        self._url = url
        self._session = requests.Session()
        self._session.mount("http://", HTTPAdapter(pool_maxsize=connections))
        self._session.headers["authorization"] = f"Bearer {token}"

    def get(self, *path: str, **parameters: str | int) -> dict[str, Any]:
        """The answer to a GET, its numbers with a point as Decimal; raises ApiError."""
        return self._answer(self._session.get(self._address(path), params=parameters, timeout=60))

    def post(self, *path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a POST; raises ApiError."""
        return self._answer(self._session.post(self._address(path), json=body, timeout=60))

    def pages(self, *path: str, **parameters: str | int) -> Iterator[dict[str, Any]]:
        """The answers to a GET of a list, page by page until the cursor ends."""
        page = self.get(*path, limit=PAGE, **parameters)
        yield page
        while page["cursor"]:
            page = self.get(*path, limit=PAGE, cursor=page["cursor"], **parameters)
            yield page

    def _address(self, path: tuple[str, ...]) -> str:
        return "/".join([self._url, *(quote(part, safe="") for part in path)])

    def _answer(self, response: requests.Response) -> dict[str, Any]:
        if not response.ok:
            raise ApiError(response)
        answer: dict[str, Any] = response.json(parse_float=Decimal)
        return answer
