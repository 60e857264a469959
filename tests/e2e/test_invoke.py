"""`make invoke` beside a running local cloud: on its table, but never with changes that did not happen there."""

import pytest

from tests.e2e.conftest import Deployment
from tests.support.commands import outcome

ON_CLOUD = "on the local cloud, http://localhost:"
IN_MEMORY = "on a table in memory, with a few samples\n"


@pytest.mark.parametrize(
    ("name", "event", "where", "part"),
    [
        ("telemetry", "telemetry_http", ON_CLOUD, '\\"accepted\\":2'),
        ("redrive", "redrive_recount", ON_CLOUD, '"kind": "INVOICE"'),
        ("edge_aggregator", "edge_aggregator_stream", IN_MEMORY, '"batchItemFailures": []'),
        ("cascade", "cascade_stream", IN_MEMORY, '"finished":1'),
        ("last_line", "last_line_object", IN_MEMORY, '"IncompleteAggregates":['),
    ],
)
def test_it_says_where_it_works(deployment: Deployment, name: str, event: str, where: str, part: str) -> None:
    status, printed = outcome("local.invoke", name, f"tests/events/{event}.json", port=deployment.cloud.port)
    assert status == 0, printed
    assert where in printed
    assert part in printed
