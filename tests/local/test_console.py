"""One origin for the page, the API and the sign-in page."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests

from infra import console_headers
from local import console
from local.console import Site
from ops.processes import free_port

SIGN_IN = "https://sign-in.example"


class Upstream(BaseHTTPRequestHandler):
    """Answers with what it was asked."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.send_response(302 if self.path == "/login" else 202)
        self.send_header("location", "http://elsewhere.example/")
        self.send_header("x-asked", f"{self.command} {self.path} {self.headers.get('authorization')} {body}")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def serving(server: ThreadingHTTPServer) -> Iterator[str]:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def upstream() -> Iterator[str]:
    yield from serving(ThreadingHTTPServer(("127.0.0.1", 0), Upstream))


@pytest.fixture
def origin(upstream: str, tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("the page")
    (folder / "assets" / "a-1234.js").write_text("the script")
    (tmp_path / "secret").write_text("a file beside the page")
    site = Site(folder, {"clientId": "c", "signInUrl": SIGN_IN}, f"{upstream}/the-api", upstream, upstream)
    yield from serving(console.server(free_port(), site))


@pytest.mark.parametrize("address", ["/", "/index.html", "/rooms/harbour", "/devices/a~2Fb?metric=temp"])
def test_every_address_of_the_page_is_the_page(origin: str, address: str) -> None:
    assert requests.get(origin + address).text == "the page"


def test_scripts_are_kept_by_browsers_and_the_page_is_asked_for_anew(origin: str) -> None:
    script, page = requests.get(f"{origin}/assets/a-1234.js"), requests.get(origin)
    assert (script.text, script.headers["cache-control"]) == ("the script", "public, max-age=31536000, immutable")
    assert script.headers["content-type"] == "text/javascript"
    assert page.headers["cache-control"] == "no-cache"
    assert requests.get(f"{origin}/assets/a-0000.js").status_code == 404


def test_nothing_beside_the_page_is_served(origin: str) -> None:
    request = requests.Request("GET", origin).prepare()
    request.url = f"{origin}/../secret"
    with requests.Session() as session:
        assert session.send(request).text == "the page"


def test_the_page_runs_its_own_scripts_alone_and_calls_its_origin_and_the_sign_in(origin: str) -> None:
    headers = requests.get(origin).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["connect-src"] == f"'self' {SIGN_IN}"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers.items() >= console_headers.of_pages(SIGN_IN).items()


def test_the_page_is_told_where_to_sign_in_and_no_secret(origin: str) -> None:
    assert requests.get(f"{origin}/config.json").json() == {"clientId": "c", "signInUrl": SIGN_IN}


def test_requests_to_the_api_are_passed_on_with_their_token(origin: str) -> None:
    answer = requests.post(f"{origin}/api/rooms/a~2Fb?x=%20", data="body", headers={"authorization": "Bearer t"})
    assert answer.status_code == 202
    assert answer.headers["x-asked"] == "POST /the-api/rooms/a~2Fb?x=%20 Bearer t body"


def test_the_sign_in_page_sends_the_browser_on_by_itself(origin: str) -> None:
    answer = requests.post(f"{origin}/login", data="name", allow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (302, "http://elsewhere.example/")
    assert answer.headers["x-asked"].startswith("POST /login ")


def test_an_api_that_is_gone_is_an_answer_that_says_so(tmp_path: Path) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    for origin in serving(
        console.server(free_port(), Site(tmp_path, {"signInUrl": SIGN_IN}, nowhere, nowhere, nowhere))
    ):
        answer = requests.get(f"{origin}/api/health")
        assert (answer.status_code, answer.text) == (502, "the local cloud does not answer: make run")
