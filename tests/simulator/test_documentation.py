"""The example of docs/delivery-simulator.md does what the page says."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from moto import mock_aws

PAGE = Path(__file__).resolve().parents[2] / "docs" / "delivery-simulator.md"


@pytest.fixture
def example(pytester: pytest.Pytester, aws_env: pytest.MonkeyPatch) -> Iterator[pytest.Pytester]:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    pytester.makeconftest('pytest_plugins = ["delivery.plugin"]')
    pytester.makepyfile(code)
    with mock_aws():
        yield pytester


def test_the_example_fails_and_shows_why(example: pytest.Pytester) -> None:
    result = example.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*assert*== {20}", "*delivery simulator*", "--delivery-seed=0"])


def test_without_faults_it_passes(example: pytest.Pytester) -> None:
    (module,) = example.path.glob("test_*.py")
    module.write_text(module.read_text().replace("HARSH", "NONE"))
    example.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
