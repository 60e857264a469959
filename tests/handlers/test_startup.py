"""The start of a function: only on Lambda does it touch the collector, or create anything before it is needed."""

import gc
from collections.abc import Iterator

import pytest

from functions import startup


@pytest.fixture(autouse=True)
def _collecting() -> Iterator[None]:
    """Whatever a test, or a benchmark before it, does to this process's collector is undone."""
    gc.unfreeze()
    yield
    gc.unfreeze()
    gc.enable()


def test_on_lambda_the_collector_rests_until_what_is_needed_is_created(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "under-test")
    collecting = []
    startup.begin()
    startup.finish(lambda: collecting.append(gc.isenabled()))
    assert collecting == [False]
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0


def test_elsewhere_a_program_that_imports_handlers_keeps_its_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_LAMBDA_FUNCTION_NAME", raising=False)
    created = []
    startup.begin()
    assert gc.isenabled()
    startup.finish(lambda: created.append("a client"))
    assert not created
    assert gc.get_freeze_count() == 0
