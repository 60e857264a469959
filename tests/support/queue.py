"""Readings that come through the queue: events, batches of messages, and what the function gives back."""

import json
from pathlib import Path
from typing import Any

from functions.systems.telemetry import routes as telemetry
from tests.support.http import Context

GOLDEN = Path(__file__).parents[1] / "events" / "telemetry_sqs.json"


def event(device: str, **other: Any) -> dict[str, Any]:
    return {"device_id": device, "at": 0, "metrics": {"t": 1}} | other


def batch(*bodies: Any) -> dict[str, Any]:
    """Messages m1, m2, … with these bodies."""
    golden = json.loads(GOLDEN.read_text())["Records"][0]
    texts = [body if isinstance(body, str) else json.dumps(body) for body in bodies]
    return {"Records": [golden | {"messageId": f"m{number}", "body": t} for number, t in enumerate(texts, start=1)]}


def deliver(event: dict[str, Any]) -> Any:
    handler: Any = telemetry.handler
    return handler(event, Context())


def failed(answer: Any) -> list[str]:
    assert answer.keys() == {"batchItemFailures"}
    return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]
