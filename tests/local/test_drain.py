from typing import Any

import requests

from local.api import Api, ApiError
from local.drain import PASSES, drain


class LateApi(Api):
    """A probe shows at the second look, and is counted at the third."""

    def __init__(self) -> None:
        super().__init__("http://nowhere", lambda: "token", connections=1)
        self.log: list[str] = []
        self._looks = 0

    def post(self, *path: str, body: dict[str, Any]) -> dict[str, Any]:
        (probe,) = body["events"]
        self.log.append(f"post {'/'.join(probe['place'])}")
        self._looks = 0
        return {}

    def get(self, *path: str, **parameters: str | int) -> dict[str, Any]:
        self._looks += 1
        self.log.append(f"look {parameters['path']}")
        if self._looks == 1:
            raise ApiError(_not_found())
        return {"summary": {"events": 1, "devices": self._looks - 2}}


def _not_found() -> requests.Response:
    response = requests.Response()
    response.status_code = 404
    response.request = requests.Request("GET", "http://nowhere/places").prepare()
    return response


def test_each_probe_is_posted_only_when_the_one_before_has_arrived() -> None:
    api, passed = LateApi(), list[int]()
    drain(api, passed.append, run="a run")
    assert api.log == [
        step
        for number in range(1, PASSES + 1)
        for step in (f"post drain-probe/a run {number}", *[f"look drain-probe/a run {number}"] * 3)
    ]
    assert sum(passed) == PASSES
