"""Lets a test lease what callers may take, as functions do; no other test does (tests/support/handlers.py)."""

from typing import Any

import pytest

from functions.web import runtime
from functions.web.leases import Leases

# Of before the session's fixture replaces them.
_OWN: Any = {name: getattr(Leases, name) for name in ("need", "spend")}


def begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each function leases from now on, as if it had just started."""
    for name, method in _OWN.items():
        monkeypatch.setattr(Leases, name, method)
    restart()


def restart() -> None:
    """Each function is in an environment of its own, which has leased nothing."""
    for cached in (runtime.limits, runtime.leases):
        cached.cache_clear()
