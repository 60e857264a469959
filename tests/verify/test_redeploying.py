"""An update of the consumer changes nothing but its description, and that only for a moment."""

from typing import Any

import pytest

from ops.processes import NotReadyError
from verify import redeploying
from verify.redeploying import update
from verify.target import Target


class Functions:
    """Lambda with one function, whose updates take so many looks to come into force; None: for ever."""

    def __init__(self, looks: int | None) -> None:
        self.described, self.looks, self.left = ["edgewise dev: edge_aggregator"], looks, 0

    def get_function_configuration(self, **_: str) -> dict[str, Any]:
        self.left -= 1
        status = "InProgress" if self.looks is None or self.left > 0 else "Successful"
        return {"Description": self.described[-1], "LastUpdateStatus": status}

    def update_function_configuration(self, FunctionName: str, **changes: str) -> None:
        assert changes.keys() == {"Description"}
        assert self.left <= 0, "an update while another one is in progress is refused"
        self.described.append(changes["Description"])
        self.left = self.looks or 0


def target_with(functions: Functions) -> Target:
    return Target("dev", lambda _: functions, {"EdgeAggregatorFunctionName": "f"}, "")


def test_each_update_is_in_force_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redeploying, "PAUSE_SECONDS", 0)
    functions = Functions(looks=3)
    update(target_with(functions), "being verified")
    before = "edgewise dev: edge_aggregator"
    assert functions.described == [before, "being verified", before]


def test_an_update_that_takes_too_long_is_told_and_the_description_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redeploying, "UPDATE_SECONDS", 0)
    monkeypatch.setattr(redeploying, "PAUSE_SECONDS", 0)
    functions = Functions(looks=None)
    with pytest.raises(NotReadyError, match="the update of the consumer"):
        update(target_with(functions), "being verified")
    assert functions.described[-1] == functions.described[0]
