"""The API by which functions read the streams' shards themselves, and by which others see how far deliveries are."""

import json
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests

from delivery import Reads
from local.stream.program import Program

# The operations that are answered here, and the parameters that count.
READS: dict[str, tuple[Callable[..., Any], frozenset[str]]] = {
    "DescribeStream": (Reads.describe_stream, frozenset({"StreamArn"})),
    "GetShardIterator": (
        Reads.get_shard_iterator,
        frozenset({"StreamArn", "ShardId", "ShardIteratorType", "SequenceNumber"}),
    ),
    "GetRecords": (Reads.get_records, frozenset({"ShardIterator"})),
}
REFUSALS = (
    Reads.exceptions.ResourceNotFoundException,
    Reads.exceptions.TrimmedDataAccessException,
    Reads.exceptions.LimitExceededException,
)
JSON = "application/x-amz-json-1.0"


class Server(ThreadingHTTPServer):
    """Answers for a program; `emulator`: where all other requests go."""

    def __init__(self, address: tuple[str, int], program: Program, emulator: str) -> None:
        super().__init__(address, _Handler)
        self.program, self.emulator = program, emulator

    def read(self, operation: str, asked: dict[str, Any]) -> tuple[int, Any]:
        """The status and the answer of a request for shards or records."""
        with self.program.lock:
            reads = Reads(*(course.stream for course in self.program.courses.values()), empty=[0])
            read, parameters = READS[operation]
            try:
                return HTTPStatus.OK, read(reads, **{name: asked[name] for name in asked.keys() & parameters})
            except REFUSALS as error:
                return HTTPStatus.BAD_REQUEST, {"__type": type(error).__name__, "message": str(error)}
            except (TypeError, ValueError) as error:
                return HTTPStatus.BAD_REQUEST, {"__type": "ValidationException", "message": f"{operation}: {error}"}

    def progress(self, upto: int | None) -> dict[str, Any]:
        """How far deliveries are: the last record that has consequences, and whether all is done up to a number.

        And how many records are left, of which readers may be far behind. `upto`: None asks for the last record of all.
        """
        with self.program.lock:
            self.program.look()  # who asks right after a mapping was stopped finds it stopped
            if upto is None:
                self.program.fetch()
            courses = self.program.courses.values()
            done, left = all(each.is_done(upto or 0) for each in courses), sum(each.left for each in courses)
            return {"news": str(max((each.news for each in courses), default=0)), "done": done, "left": left}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        """Tell how far deliveries are: `/?upto=NUMBER`, or `/` for what the last record is."""
        (upto,) = parse_qs(urlsplit(self.path).query).get("upto", [None])
        if upto is None or upto.isdecimal():
            self._send(HTTPStatus.OK, json.dumps(self.server.progress(None if upto is None else int(upto))).encode())
        else:
            self._send(HTTPStatus.BAD_REQUEST, b"upto must be the number of a record: /?upto=NUMBER")

    def do_POST(self) -> None:
        """Answer an operation of DynamoDB Streams, as anybody may call it: the emulator can't say who may read."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        operation = self.headers.get("x-amz-target", "").rpartition(".")[2]
        if operation in READS:
            status, answer = self.server.read(operation, json.loads(body))
            self._send(status, json.dumps(answer, default=_plain).encode())
        else:
            passed_on = requests.post(self.server.emulator, data=body, headers=dict(self.headers.items()), timeout=60)
            self._send(passed_on.status_code, passed_on.content)

    def _send(self, status: int, content: bytes) -> None:
        self.send_response(status)
        for name, value in {"content-type": JSON, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


def _plain(value: object) -> Any:
    """What JSON has no form for: instants and binary values."""
    if isinstance(value, datetime):
        return value.timestamp()
    assert isinstance(value, bytes)
    return b64encode(value).decode()
