"""Search is checked where a stage has it: each room's messages, as many as there are."""

from collections.abc import Mapping
from typing import Any

import pytest
import requests

from ops.api import Api, ApiError
from ops.recounting.facts import Name
from verify import searching
from verify.facts import differences


class Answering(Api):
    """An API that finds so many messages; None: it has no search."""

    def __init__(self, found: int | None, status: int = 404) -> None:
        self.found, self.status, self.asked = found, status, list[Mapping[str, Any]]()

    def get(self, *path: str, **parameters: str | int) -> dict[str, Any]:
        if path == ("search",):
            if self.found is None:
                response = requests.Response()
                response.status_code = self.status
                response.request = requests.Request("GET", "http://localhost/search").prepare()
                raise ApiError(response)
            self.asked.append(parameters)
            return {"total": self.found}
        return {"messages": 3}


def test_a_stage_without_search_is_not_asked() -> None:
    assert searching.checks(Answering(None), ["a"]) == []


def test_a_search_that_fails_is_not_taken_for_none() -> None:
    with pytest.raises(ApiError):
        searching.checks(Answering(None, 503), ["a"])


@pytest.mark.parametrize(("found", "wrong"), [(3, []), (2, ["2"])])
def test_what_is_not_found_is_a_difference(found: int, wrong: list[str]) -> None:
    api = Answering(found)
    (check,) = searching.checks(api, ["a"])
    assert [each.found for each in differences(check.expected, check.read(api), "x")] == wrong
    assert check.expected == {Name("SEARCH", ("a",)): {"messages": 3}}
    assert api.asked[-1] == {"q": "hello", "kind": "message", "where": "room:a"}
