"""Builds the console's page for the local cloud."""

from pathlib import Path

from infra.console.build import BuildError
from infra.console.build import build as build_page
from ops.errors import LocalError


class PageError(LocalError):
    """The page can't be built; the message is that of the build."""


def build(folder: Path) -> None:
    """Write the page to a folder, where nothing else stays; raises PageError."""
    try:
        build_page(folder)
    except BuildError as error:
        raise PageError(str(error)) from error
