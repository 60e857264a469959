"""A shop on each engine in turn."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from moto import mock_aws

from delivery import NONE
from edgewise import OwnTable
from tests.support.own_tables import Shop

Opening = Callable[..., Shop]


@pytest.fixture(params=["moto", "dynamodb-local"])
def opening(request: pytest.FixtureRequest, aws_env: pytest.MonkeyPatch) -> Iterator[Opening]:
    """Makes a shop with a table of this form, whose stream brings everything once."""
    made = list[Shop]()

    def shop(own: OwnTable, **more: Any) -> Shop:
        made.append(Shop(own, 3, NONE, **more))
        return made[-1]

    with ExitStack() as stack:
        if request.param == "moto":
            stack.enter_context(mock_aws())
        else:
            patch = stack.enter_context(pytest.MonkeyPatch.context())
            patch.setenv("AWS_ENDPOINT_URL_DYNAMODB", request.getfixturevalue("dynamodb_local"))
        yield shop
        for each in made:
            for name in each.streams:
                each.owner.delete_table(TableName=name)
