"""All of these run on moto."""

from collections.abc import Iterator

import pytest
from moto import mock_aws


@pytest.fixture(autouse=True)
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws():
        yield
