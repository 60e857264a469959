"""The headers with which the console is served: by CloudFront on a stage, by local/console.py on the local cloud."""

from collections.abc import Mapping
from typing import Final

_POLICY: Final = {
    # Whatever is not named here is refused: frames, workers, media, and scripts in the page itself.
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    # Nothing may turn text into elements or code, nor declare how it could be made harmless.
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}
# Files that the build names after their content never change; everything else is asked for anew.
HASHED: Final = "/assets/"


def of_pages(sign_in_origin: str) -> Mapping[str, str]:
    """The headers of every file of the console; scripts may call its own origin, and the one that gives tokens."""
    policy = _POLICY | {"connect-src": f"'self' {sign_in_origin}"}
    return {
        "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "referrer-policy": "no-referrer",  # addresses name devices and rooms, and once a code
        "strict-transport-security": "max-age=63072000",  # browsers ignore it where there is no TLS
        "x-content-type-options": "nosniff",
    }


def caching(path: str) -> str:
    """The `cache-control` of a file of the console."""
    return "public, max-age=31536000, immutable" if path.startswith(HASHED) else "no-cache"
