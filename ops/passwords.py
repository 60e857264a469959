"""The passwords of a stage's users: generated, stored in files that only their owner may read, and never printed."""

import os
import secrets
import sys
from getpass import getpass
from pathlib import Path
from urllib.parse import quote

from ops.errors import LocalError
from ops.local_cloud import STAGE
from ops.paths import LOCAL

VARIABLE = "EDGEWISE_PASSWORD"
# The users of the demo, one for each group of the API and one in no group. Their password protects nothing: they exist
# only on this machine's local cloud.
DEMO_USERS: dict[str, str | None] = {
    "sensor": "ingest",
    "importer": "import",
    "app": "write",
    "admin": "admin",
    "guest": None,
}
PASSWORD = "Edgewise-demo-1"


class NoPasswordError(LocalError):
    """The password is unknown, and there is no terminal to ask at."""


def kept_in(stage: str, name: str) -> Path:
    """The file for a password that is generated here, whether it exists or not."""
    return LOCAL / "passwords" / quote(stage, safe="") / quote(name, safe="")


def given() -> str | None:
    """The password in the environment; None if there is none."""
    return os.environ.get(VARIABLE)


def new() -> str:
    """A new random password. It is not stored."""
    # The end contains what every pool requires: a lowercase and an uppercase letter, a digit, a symbol.
    return f"{secrets.token_urlsafe(24)}-aA1"


def generated(stage: str, name: str) -> str:
    """The password that was generated for this user before, or a new one, which is stored."""
    path = kept_in(stage, name)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(new())
    return path.read_text()


def known(stage: str, name: str) -> str:
    """The password of a user: from the environment, from its file, or from the terminal; raises NoPasswordError."""
    if stage == STAGE and name in DEMO_USERS:
        return PASSWORD
    path = kept_in(stage, name)
    if password := given():
        return password
    if path.exists():
        return path.read_text()
    if not sys.stdin.isatty():
        raise NoPasswordError(f"the password of {name} is not stored here: set {VARIABLE}, or call this at a terminal")
    return getpass(f"password of {name} on {stage}: ")
