"""The real stacks, deployed by the real CDK on a local cloud that enforces IAM policies; once for all tests here."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import requests

from local import cloud, deploy
from local.api import Api
from local.cloud import Cloud
from local.deploy import Outputs
from local.users import create_users, token


class Client(Api):
    """The demo's client, and answers as they are."""

    def raw(self, method: str, *path: str, data: str | None = None) -> requests.Response:
        """The answer to a request, whatever its status."""
        headers = {"content-type": "application/json"}
        return self._session.request(method, self._address(path), data=data, headers=headers, timeout=60)

    def fetched(self, path: str) -> requests.Response:
        """The answer to a GET of a path that is spelled already."""
        return self._session.get(self._url + path, timeout=60)


@dataclass(frozen=True)
class Deployment:
    """A deployed application and how to speak to it."""

    cloud: Cloud
    outputs: Outputs

    def api(self, user: str) -> Client:
        """The API as one of the demo's users sees it."""
        return Client(self.outputs.api_url, token(self.cloud, self.outputs, user), connections=4)


@pytest.fixture(scope="session")
def deployment(local_cloud: None) -> Iterator[Deployment]:
    with cloud.running(_free_port(), auth=True) as running:
        outputs = deploy.deploy(running)
        create_users(running, outputs)
        yield Deployment(running, outputs)


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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
