"""The real stacks, deployed by the real CDK on a local cloud that enforces IAM policies; once for all tests here."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import requests
from rich.console import Console

from batch.runs import job_runner
from batch.runs.run_results import Results
from edgewise import clock
from edgewise.dynamodb.table import Table
from local import console, prepared
from local.drain import drain
from local.users import create_users, token
from ops import local_cloud
from ops.api import Api
from ops.local_cloud import Cloud, Outputs
from ops.phases import Phases
from ops.processes import free_port, taken, wait_until
from tests.e2e.console import Visitor, browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUIET_SECONDS = 5


class Client(Api):
    """The demo's client, and answers as they are."""

    def raw(self, method: str, *path: str, data: str | None = None) -> requests.Response:
        """The answer to a request, whatever its status."""
        headers = {"content-type": "application/json"}
        return self._session.request(method, self._address(path), data=data, headers=headers, timeout=60)

    def fetched(self, path: str) -> requests.Response:
        """The answer to a GET of a path that is spelled already."""
        return self._session.get(self._url + path, timeout=60)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here run in one process, in their order: another would deploy once more."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group("e2e"))


@dataclass(frozen=True)
class Deployment:
    """A deployed application and how to speak to it."""

    cloud: Cloud

    @property
    def outputs(self) -> Outputs:
        """Those of the last deployment: a test may attach another table."""
        return local_cloud.outputs(self.cloud)

    @property
    def table(self) -> Table:
        """The application's table, as the root user."""
        return Table(self.outputs["TableName"], self.cloud.client("dynamodb"))

    def api(self, user: str) -> Client:
        """The API as one of the demo's users sees it."""
        return Client(self.outputs.api_url, lambda: token(self.cloud, self.outputs, user), connections=4)


@pytest.fixture(scope="session")
def deployment(local_cloud: None) -> Iterator[Deployment]:
    with prepared.running(_free_port(), Phases(Console()), auth=True) as (running, outputs):
        create_users(running, outputs)
        yield Deployment(running)


Settle = Callable[[], None]


@pytest.fixture
def settle(deployment: Deployment) -> Settle:
    """Wait until all that was written, and what follows from it, is absorbed."""
    return lambda: drain(deployment.cloud)


Reconcile = Callable[..., Results]


@pytest.fixture
def reconcile(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> Reconcile:
    """`make reconcile`, with an empty text or what is to be applied, and what it found.

    What is wrong must be older than a check's doubt: what was written around the export may still be under way.
    """
    monkeypatch.setattr(clock, "now", lambda: time.time_ns() // 1_000_000)
    monkeypatch.setattr(job_runner, "AFTER_SECONDS", 1)

    def run(apply: str = "") -> Results:
        name = job_runner.run(deployment.cloud, {"kind": "reconcile", "apply": apply}, lambda _: None)
        return Results(deployment.cloud.client("s3"), deployment.outputs["RunsBucketName"], name)

    return run


def quiet() -> None:
    """Let pass what a check calls under way: the time from before its export to the end of the changes around it."""
    begun = time.monotonic()
    wait_until(lambda: time.monotonic() > begun + QUIET_SECONDS, 60, "quiet seconds")


@pytest.fixture
def sensor(deployment: Deployment) -> Client:
    return deployment.api("sensor")


@pytest.fixture
def importer(deployment: Deployment) -> Client:
    return deployment.api("importer")


@pytest.fixture
def admin(deployment: Deployment) -> Client:
    return deployment.api("admin")


@pytest.fixture
def app(deployment: Deployment) -> Client:
    return deployment.api("app")


@pytest.fixture
def guest(deployment: Deployment) -> Client:
    return deployment.api("guest")


@pytest.fixture(scope="module")
def chromium(browser_installed: None) -> "Iterator[Browser]":
    with browser() as launched:
        yield launched


@pytest.fixture(scope="session")
def origin(deployment: Deployment) -> str:
    console.start(deployment.cloud)
    return deployment.cloud.console_url


@pytest.fixture
def visit(chromium: "Browser", origin: str) -> Iterator[Callable[..., Visitor]]:
    """A browser of its own for each visitor, and at the end no complaint of any."""
    visitors = []

    def begin(address: str, width: int = 1280) -> Visitor:
        context = chromium.new_context(viewport={"width": width, "height": 800}, locale="en-GB")
        visitors.append(Visitor(context.new_page(), origin))
        visitors[-1].open(address)
        return visitors[-1]

    yield begin
    for each in visitors:
        each.page.context.close()
        assert not each.complaints


def _free_port() -> int:
    """A port of which the console's is free too, and that of the streams."""
    while any(map(taken, (Cloud(port := free_port()).console_port, Cloud(port).streams_port))):
        pass
    return port
