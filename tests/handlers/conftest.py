"""Every test here calls handlers."""

import pytest


@pytest.fixture(autouse=True)
def _handlers(handlers: None) -> None:
    """Also where a test does not ask for them."""
