"""Builds the console's page."""

import subprocess
from pathlib import Path
from typing import Final

from infra.bundle import ROOT, digest_of

WEB: Final = ROOT / "web"
# The API's document, of which the page has what is declared of nodes.
OPENAPI: Final = ROOT / "functions" / "systems" / "api" / "openapi.json"
VITE: Final = WEB / "node_modules" / ".bin" / "vite"


class BuildError(Exception):
    """The page can't be built; the message is that of the build."""


def check_installed() -> None:
    """Raises BuildError if what builds the page is not installed."""
    if not VITE.exists():
        raise BuildError("what builds the console is not installed: make setup")


def build(folder: Path) -> None:
    """Write the page to a folder, where nothing else stays; raises BuildError."""
    check_installed()
    command: list[str | Path] = [VITE, "build", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"]
    done = subprocess.run(command, cwd=WEB, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"the console can't be built:\n{done.stdout}{done.stderr}")


def page_digest() -> str:
    """A digest of all that the page is built from."""
    return digest_of(_sources())


def _sources() -> list[Path]:
    """Tests and generated types are left out: they leave nothing in the page."""
    found = [OPENAPI, *WEB.glob("*.*"), *(WEB / "public").rglob("*"), *(WEB / "src").rglob("*")]
    return sorted(path for path in found if path.is_file() and not path.name.endswith((".d.ts", ".test.ts")))
