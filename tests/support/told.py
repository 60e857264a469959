"""What functions tell while they run: the lines of their log, and what becomes metrics."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from edgewise.observability import logger

Lines = list[dict[str, Any]]


@contextmanager
def lines() -> Iterator[Lines]:
    """Filled, at the end, with the lines logged meanwhile."""
    handler, found, written = logger.registered_handler, list[dict[str, Any]](), io.StringIO()
    assert isinstance(handler, logging.StreamHandler)
    before = handler.setStream(written)
    try:
        yield found
    finally:
        handler.setStream(before)
        found += map(json.loads, written.getvalue().splitlines())


def counted(metric: str, capsys: pytest.CaptureFixture[str]) -> list[float]:
    """The values of a metric told since this was asked last; forgets those of all others."""
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    return [number for line in told if "_aws" in line for number in line.get(metric, [])]
