"""The package's public names: one list for type checkers, for imports and for bundles."""

import pkgutil
import sys
from functools import cache
from importlib import import_module

_LIST = "__init__.pyi"


@cache
def homes() -> dict[str, str]:
    """The module that defines each public name: `__init__.pyi` says it by `from MODULE import NAME as NAME`."""
    text = pkgutil.get_data("edgewise", _LIST) or b""  # jobs run from an archive
    said = (line.split() for line in text.decode().splitlines() if line.startswith("from "))
    return {name: module for _, module, _, name, _, _ in said}


def find(name: str) -> object:
    """Import a public name when somebody first asks for it, so that functions load only what they need.

    Raises AttributeError if there is none of that name, as Python wants it of a module's `__getattr__`.
    """
    home = homes().get(name)
    if home is None:
        raise AttributeError(f"edgewise has no public name {name!r}")
    found: object = getattr(import_module(home), name)
    setattr(sys.modules["edgewise"], name, found)  # the next time, nobody asks here
    return found
