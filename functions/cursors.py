"""Cursors say where a list goes on: encrypted, and valid only for the query that issued them."""

import base64
import binascii
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from edgewise import InvalidInputError, Position

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

# No cursor is longer: a position has at most four keys of up to 1,024 bytes each. API Gateway accepts 10,240 bytes of
# request line and headers together, so this leaves room for a token.
MAX_LENGTH = 8000

_NONCE_BYTES = 12
_LABEL = b"edgewise cursors, AES-256-GCM\0"


@dataclass(frozen=True)
class Cursors:
    """Makes and reads cursors. `secret` is called only when there is a cursor: most requests have none."""

    secret: Callable[[], bytes]

    def encode(self, query: Mapping[str, object], position: Position | None) -> str | None:
        """The cursor for the rest of `query` after `position`; None if nothing follows."""
        if position is None:
            return None
        payload = json.dumps(dict(position), separators=(",", ":"), ensure_ascii=False).encode()
        nonce = os.urandom(_NONCE_BYTES)
        sealed = _cipher(self.secret()).encrypt(nonce, payload, _fingerprint(query))
        return base64.urlsafe_b64encode(nonce + sealed).decode().rstrip("=")

    def decode(self, query: Mapping[str, object], cursor: str | None, longest: int = MAX_LENGTH) -> Position | None:
        """The position a cursor stands for; raises InvalidInputError if this query did not issue it."""
        if cursor is None:
            return None
        if len(cursor) > longest:
            raise _refused()
        try:
            raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise _refused() from error
        position: Position = json.loads(self._opened(query, raw[:_NONCE_BYTES], raw[_NONCE_BYTES:]))
        return position

    def _opened(self, query: Mapping[str, object], nonce: bytes, sealed: bytes) -> bytes:
        from cryptography.exceptions import InvalidTag

        try:
            return _cipher(self.secret()).decrypt(nonce, sealed, _fingerprint(query))
        except (InvalidTag, ValueError) as error:  # a ValueError: the nonce is too short
            raise _refused() from error


@cache
def _cipher(secret: bytes) -> "AESGCM":
    # Imported here because it takes tens of milliseconds of a cold start, and most requests have no cursor.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(hashlib.sha256(_LABEL + secret).digest())


def _fingerprint(query: Mapping[str, object]) -> bytes:
    """What tells this list from all others: a cursor is bound to it, but does not contain it."""
    return json.dumps(query, sort_keys=True, default=str).encode()


def _refused() -> InvalidInputError:
    return InvalidInputError.of("cursor", "is not a cursor of this query")
