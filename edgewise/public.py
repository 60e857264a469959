"""The package's public names: one list for type checkers, for imports and for bundles."""

import pkgutil
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec

_LIST = "__init__.pyi"
# What an application may use that has the CDK.
_OF_CDK, _CDK = "edgewise.cdk.", "aws_cdk"


@cache
def homes() -> dict[str, str]:
    """The module that defines each public name: `__init__.pyi` says it by `from MODULE import NAME as NAME`."""
    text = pkgutil.get_data("edgewise", _LIST) or b""  # jobs run from an archive
    said = (line.split() for line in text.decode().splitlines() if line.startswith("from "))
    return {name: module for _, module, _, name, _, _ in said}


def names() -> list[str]:
    """The public names, but for those that need the CDK if it is not installed."""
    there = find_spec(_CDK) is not None
    return [name for name, home in homes().items() if there or not home.startswith(_OF_CDK)]


def find(name: str) -> object:
    """Import a public name when somebody first asks for it, so that functions load only what they need.

    Raises AttributeError if there is none of that name, as Python wants it of a module's `__getattr__`.
    """
    if name == "__all__":
        return names()
    home = homes().get(name)
    if home is None:
        raise AttributeError(f"edgewise has no public name {name!r}")
    found: object = getattr(import_module(home), name)
    setattr(sys.modules["edgewise"], name, found)  # the next time, nobody asks here
    return found
