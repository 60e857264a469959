"""In place of the emulator: the application's handlers behind an HTTP server, which fails as on a busy machine."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from urllib.parse import parse_qsl, urlsplit

from ops.passwords import DEMO_USERS
from tests.support.http import Client, handled, http_event, route_of

TIMED_OUT = b'{"errorMessage": "Task timed out after 10.00 seconds", "errorType": "Sandbox.Timedout"}'
# How an attempt may end. Of those without any answer of the application, half have been done.
FAILURES = ("502", "504", "nothing", "half an answer")


class Emulator(ThreadingHTTPServer):
    """Answers one request after the other; tokens are the names of the demo's users.

    `deliver` is called before each read, as if the stream were always delivered by then. A part of all attempts fails,
    as `random` decides; without it, none does. `failed` counts them.
    """

    def __init__(self, deliver: Callable[[], None]) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.deliver = deliver
        self.random: Random | None = None
        self.failed: Counter[str] = Counter()
        self.alone = threading.Lock()

    @property
    def url(self) -> str:
        """Where the API is."""
        return f"http://127.0.0.1:{self.server_port}"

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Answer during a block."""
        threading.Thread(target=self.serve_forever, daemon=True).start()
        yield
        self.shutdown()
        self.server_close()

    def drained(self) -> None:
        """Wait until all is delivered."""
        with self.alone:
            self.deliver()

    def answer(self, method: str, address: str, headers: Mapping[str, str], body: str) -> bytes:
        """What is sent back; less than a whole answer before the connection is closed."""
        random = self.random
        if random is None or random.random() < 0.6:
            return self._handled(method, address, headers, body)
        how = random.choice(FAILURES)
        self.failed[how] += 1
        cut = how == "half an answer"
        answer = self._handled(method, address, headers, body) if cut or random.random() < 0.5 else b""
        if cut:
            return answer[: random.randrange(len(answer))]
        return b"" if how == "nothing" else _answer(int(how), {"content-type": "application/json"}, TIMED_OUT)

    def _handled(self, method: str, address: str, headers: Mapping[str, str], body: str) -> bytes:
        if method == "GET":
            self.deliver()
        asked = urlsplit(address)
        route, ids = route_of(method, asked.path)
        claims = Client(user := headers["authorization"].removeprefix("Bearer "), _groups(user)).claims
        event = http_event(route, ids, dict(parse_qsl(asked.query)), body or None, claims)
        found = handled(event | {"headers": dict(headers)})
        return _answer(found["statusCode"], found["headers"], found.get("body", "").encode())


def _groups(user: str) -> tuple[str, ...]:
    group = DEMO_USERS[user]
    return (group,) if group else ()


def _answer(status: int, headers: Mapping[str, str], body: bytes) -> bytes:
    told = {**headers, "content-length": str(len(body))}
    lines = [f"HTTP/1.1 {status} ", *(f"{name}: {value}" for name, value in told.items()), "", ""]
    return "\r\n".join(lines).encode() + body


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Emulator

    def respond(self) -> None:
        """Send what the emulator answers, if anything."""
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.server.alone:
            answer = self.server.answer(self.command, self.path, headers, body)
        self.wfile.write(answer)
        self.close_connection = True

    do_GET = do_POST = do_PUT = respond

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
