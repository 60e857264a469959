"""The description of all routes."""

import pytest

from tests.support.http import http_event, send


@pytest.mark.usefixtures("handlers")
def test_the_whole_description_can_be_fetched_without_a_token() -> None:
    answer = send(http_event("GET /openapi.json", {}, {}, None, None))
    assert answer.status == 200
    assert answer.body["info"]["title"] == "Edgewise"
