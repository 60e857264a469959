"""Passes a WebSocket on: the request to upgrade, and then every byte in both directions."""

import socket
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit

_AT_ONCE = 65_536
CONNECT_SECONDS = 10


def tunnel(client: socket.socket, url: str, headers: Mapping[str, str]) -> None:
    """Connect a client, whose request to upgrade has these headers, with a server, until either side closes.

    Raises OSError if the server can't be reached.
    """
    target = urlsplit(url)
    with socket.create_connection((target.hostname, target.port), CONNECT_SECONDS) as server:
        server.settimeout(None)
        lines = [f"GET {target.path}?{target.query} HTTP/1.1", f"Host: {target.netloc}"]
        lines += [f"{name}: {value}" for name, value in headers.items() if name.lower() != "host"]
        server.sendall("\r\n".join([*lines, "", ""]).encode("latin-1"))
        back = Thread(target=_pass_on, args=(server, client), daemon=True)
        back.start()
        _pass_on(client, server)
        back.join()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    """Every byte until the source ends; then the target is told so."""
    with suppress(OSError):
        while data := source.recv(_AT_ONCE):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)
