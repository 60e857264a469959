"""The pytest plugin, in a test run of its own."""

import pytest

pytest_plugins = ["pytester"]

CHARGED_TWICE = """
from delivery import Faults, Items, Stream

def test_every_order_is_charged_once(simulate):
    charged = []
    stream = Stream()
    Items(stream).put({"PK": {"S": "order"}, "SK": {"S": "1"}})
    simulator = simulate(lambda event, context: charged.extend(event["Records"]), stream, faults=Faults(repeated=0.9))
    simulator.drain()
    assert len(charged) == 1
"""


@pytest.fixture
def example(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest('pytest_plugins = ["delivery.plugin"]')
    pytester.makepyfile(CHARGED_TWICE)
    return pytester


def test_a_failed_test_shows_its_seed_and_what_was_delivered(example: pytest.Pytester) -> None:
    result = example.runpytest_inprocess("-p", "no:cacheprovider", "--delivery-seed=7")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*delivery simulator*", "--delivery-seed=7", "*1 records 999999999999999999981..*the same batch again*"]
    )


def test_the_seed_decides(example: pytest.Pytester) -> None:
    """Rate 0.9: of some seeds the first draw leaves the batch alone."""
    outcomes = {
        tuple(example.runpytest_inprocess("-p", "no:cacheprovider", f"--delivery-seed={seed}").parseoutcomes())
        for seed in range(30)
    }
    assert outcomes == {("failed",), ("passed",)}
