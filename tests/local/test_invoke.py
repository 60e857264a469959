from pathlib import Path

import pytest

from local.invoke import InvokeError, invoke

EVENTS = Path(__file__).resolve().parents[1] / "events"


def test_an_unknown_function_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvokeError, match=r"FN=telemtry: .*telemetry, chat, api, edge_aggregator"):
        invoke("telemtry", EVENTS / "telemetry_http.json")


@pytest.mark.parametrize("content", [None, "not JSON"])
def test_an_event_that_cannot_be_read_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "event.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InvokeError, match=r"EVENT=.*event\.json"):
        invoke("telemetry", path)
