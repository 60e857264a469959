"""Tests of one group run in one process: all tests of the deployed application share one deployment, in their order.

A pytest that xdist does not know yet spreads them, and says nothing.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = """
import os
import pytest

@pytest.mark.xdist_group("together")
@pytest.mark.parametrize("number", range(10))
def test_one_of_a_group(number):
    open(os.environ["PYTEST_XDIST_WORKER"], "a").close()
"""


def test_a_group_is_not_spread(tmp_path: Path) -> None:
    (tmp_path / "test_group.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", "2", "--dist", "loadgroup"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert len(list(tmp_path.glob("gw*"))) == 1


def test_all_tests_of_the_deployed_application_are_a_group() -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-m", "not xdist_group", "tests/e2e"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stdout
