"""The API's routes, as the functions that serve them declare them.

They are read from the source, because importing it takes what only requests need: the deployment and tools use this.
"""

import ast
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from functions.catalog import SYSTEMS
from functions.system import Group

_DECORATOR = "http.route"
_SYSTEMS = Path(__file__).parent / "systems"


class Declared(NamedTuple):
    """What the source says of a route: see `functions.system.Route`. `shows`: whether it shows aggregates."""

    name: str
    group: Group | None
    public: bool
    shows: bool


def declared(folder: Path) -> Iterator[Declared]:
    """The routes of one system; raises ValueError where the source does not write one out."""
    sources = (module.read_text() for module in sorted(folder.glob("*.py")))
    for source in (each for each in sources if f"@{_DECORATOR}(" in each):
        functions = (each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef))
        for decorator in chain.from_iterable(each.decorator_list for each in functions):
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == _DECORATOR:
                yield _declared(decorator)


def _declared(decorator: ast.Call) -> Declared:
    _, name, *_ = decorator.args
    others = {each.arg: each.value for each in decorator.keywords}
    group, public = (ast.literal_eval(others[each]) if each in others else None for each in ("group", "public"))
    return Declared(ast.literal_eval(name), group, bool(public), "shows" in others)


DECLARED: Mapping[str, tuple[Declared, ...]] = {
    system.name: tuple(declared(_SYSTEMS / system.name)) for system in SYSTEMS
}
_ALL = tuple(route for routes in DECLARED.values() for route in routes)

# The routes of each function; those that anybody may call, that only members of a group may, that show aggregates.
ROUTES: Mapping[str, tuple[str, ...]] = {name: tuple(each.name for each in routes) for name, routes in DECLARED.items()}
PUBLIC = frozenset(route.name for route in _ALL if route.public)
REQUIRED_GROUP: Mapping[str, Group] = {route.name: route.group for route in _ALL if route.group}
SHOWING = frozenset(route.name for route in _ALL if route.shows)
