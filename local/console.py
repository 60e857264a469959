"""The console on the local cloud: its files, the API, the socket and the sign-in page under one origin, as on a stage.

Beside it, what the functions count becomes metrics, as the console shows them.

A browser would refuse a page of one origin what the emulator serves on another: it answers no preflight requests.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

from infra.console_headers import HASHED, caching, of_pages
from local import metrics, page
from local.cloud import START_SECONDS
from local.tunnel import tunnel
from ops.errors import LocalError
from ops.local_cloud import Cloud, Outputs, outputs
from ops.processes import taken, wait_for_server

API, SOCKET = "/api", "/live"
# What the emulator serves of Cognito's domain.
SIGN_IN = ("/oauth2/", "/login", "/logout")
# Headers that belong to one connection; the length and the encoding of a body that requests has decoded.
_OWN = frozenset(
    {"connection", "content-encoding", "content-length", "date", "keep-alive", "server", "transfer-encoding"}
)


class ConsolePortError(LocalError):
    """Another program listens on the console's port."""


@dataclass(frozen=True)
class Site:
    """What is served: the folder of the built page, what the page has to know, and where the rest is."""

    folder: Path
    config: Mapping[str, Any]
    api_url: str
    cloud_url: str
    socket_url: str

    @classmethod
    def of(cls, cloud: Cloud, deployed: Outputs) -> "Site":
        """The console of a deployed application."""
        parts = dict.fromkeys(("live", "search", "faults"), True)
        config = {"clientId": deployed["ConsoleClientId"], "signInUrl": cloud.console_url, "stage": "local", **parts}
        return cls(cloud.page, config, deployed.api_url, cloud.url, deployed.socket_url)

    def upstream(self, path: str) -> str | None:
        """Where a request is passed on to; None for what belongs to the page."""
        if path.startswith(f"{API}/"):
            return self.api_url + path.removeprefix(API)
        return self.cloud_url + path if path.startswith(SIGN_IN) else None

    def file(self, path: str) -> Path | None:
        """The file at a path. Every other address is one of the page's own; None for a file that is gone."""
        found = (self.folder / path.lstrip("/")).resolve()
        if found.is_file() and found.is_relative_to(self.folder):
            return found
        return None if path.startswith(HASHED) else self.folder / "index.html"


class _Handler(BaseHTTPRequestHandler):
    """Answers from the site of its server."""

    protocol_version = "HTTP/1.1"
    server: "_Server"

    def answer(self) -> None:
        """Pass the request on, or send a file."""
        url = self.server.site.upstream(self.path)
        if urlsplit(self.path).path == SOCKET and self.headers.get("upgrade", "").lower() == "websocket":
            self._tunnel()
        elif url:
            self._pass_on(url)
        elif self.command in ("GET", "HEAD"):
            self._send_page(urlsplit(self.path).path)
        else:
            self._send(HTTPStatus.METHOD_NOT_ALLOWED, {}, b"")

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer

    def _tunnel(self) -> None:
        self.close_connection = True
        url = f"{self.server.site.socket_url}?{urlsplit(self.path).query}"
        try:
            tunnel(self.connection, url, dict(self.headers.items()))
        except OSError:
            self._send(HTTPStatus.BAD_GATEWAY, {}, b"the local cloud does not answer: make run")

    def _pass_on(self, url: str) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in {*_OWN, "host"}}
        try:
            answer = requests.request(self.command, url, headers=headers, data=body, allow_redirects=False, timeout=60)
        except requests.RequestException:
            self._send(HTTPStatus.BAD_GATEWAY, {}, b"the local cloud does not answer: make run")
            return
        kept = {name: value for name, value in answer.headers.items() if name.lower() not in _OWN}
        self._send(answer.status_code, kept, answer.content)

    def _send_page(self, path: str) -> None:
        site = self.server.site
        if path == "/config.json":
            self._send_file("application/json", path, json.dumps(site.config).encode())
        elif file := site.file(path):
            kind, _ = guess_type(file.name)
            self._send_file(kind or "application/octet-stream", path, file.read_bytes())
        else:
            self._send(HTTPStatus.NOT_FOUND, {}, b"")

    def _send_file(self, kind: str, path: str, content: bytes) -> None:
        own = {"content-type": kind, "cache-control": caching(path)}
        self._send(HTTPStatus.OK, {**of_pages(self.server.site.config["signInUrl"]), **own}, content)

    def _send(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged: addresses hold codes that can be changed into tokens."""


class _Server(ThreadingHTTPServer):
    def __init__(self, port: int, site: Site) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.site = site


def server(port: int, site: Site) -> ThreadingHTTPServer:
    """A server of the console on a port of this machine, which doesn't serve yet."""
    return _Server(port, site)


def start(cloud: Cloud) -> None:
    """Build the console and serve it until the cloud is stopped; raises ConsolePortError, PageError, NotReadyError."""
    page.build(cloud.page)
    if taken(cloud.console_port):
        raise ConsolePortError(f"port {cloud.console_port} is used by another program, and the console needs it")
    log_file = cloud.home / "console.log"
    with log_file.open("wb") as log:
        # Python ignores the option `cloud`, by which the local cloud knows what is its own.
        command = [sys.executable, "-X", f"cloud={cloud.home}", "-m", "local.console", str(cloud.port)]
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
    (cloud.home / "console.pid").write_text(str(process.pid))
    wait_for_server(process, cloud.console_url, START_SECONDS, log_file)


if __name__ == "__main__":
    target = Cloud(int(sys.argv[1]))
    threading.Thread(target=metrics.follow, args=(target,), daemon=True).start()
    server(target.console_port, Site.of(target, outputs(target))).serve_forever()
