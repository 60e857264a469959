"""Cursors say where a list goes on: opaque to callers, signed, and valid only for the query that issued them."""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from functions.dynamodb.queries import Position
from functions.errors import InvalidInputError

_SIGNATURE_BYTES = 16


@dataclass(frozen=True)
class Cursors:
    """Makes and reads cursors. `secret` is called only when there is a cursor: most requests have none."""

    secret: Callable[[], bytes]

    def encode(self, query: Mapping[str, object], position: Position | None) -> str | None:
        """The cursor for the rest of `query` after `position`; None if nothing follows."""
        if position is None:
            return None
        payload = json.dumps(dict(position), separators=(",", ":"), ensure_ascii=False).encode()
        return base64.urlsafe_b64encode(self._sign(query, payload) + payload).decode().rstrip("=")

    def decode(self, query: Mapping[str, object], cursor: str | None) -> Position | None:
        """The position a cursor stands for; raises InvalidInputError if this query did not issue it."""
        if cursor is None:
            return None
        try:
            raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise _refused() from error
        signature, payload = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, self._sign(query, payload)):
            raise _refused()
        position: Position = json.loads(payload)
        return position

    def _sign(self, query: Mapping[str, object], payload: bytes) -> bytes:
        fingerprint = json.dumps(query, sort_keys=True, default=str).encode()
        message = len(fingerprint).to_bytes(4, "big") + fingerprint + payload
        return hmac.digest(self.secret(), message, hashlib.sha256)[:_SIGNATURE_BYTES]


def _refused() -> InvalidInputError:
    return InvalidInputError.of("cursor", "is not a cursor of this query")
