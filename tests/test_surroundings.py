"""What the engine takes from its surroundings it takes in one place, and all of it is replaced by one call."""

import ast
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

from edgewise import aws, clock, surroundings
from edgewise.surroundings import Surroundings, in_turn, replaced

ENGINE = Path(__file__).parents[1] / "edgewise"
TAKEN = {"time", "random", "secrets", "uuid", "threading", "concurrent", "concurrent.futures"}
# `now` and the others are here; the rest measures how long the machine takes, or keeps threads apart.
ALLOWED = {
    "surroundings.py": {"random", "secrets", "concurrent.futures"},
    "clock.py": {"time"},
    "observability.py": {"time"},
    "stream/invocation.py": {"time"},
    "stream/keeping.py": {"threading"},
    "dynamodb/table.py": {"time"},
    "dynamodb/throttling.py": {"time"},
    "dynamodb/usage.py": {"threading"},
    "own/looking.py": {"time"},
}
HOMES: dict[str, Any] = {"now": clock, "sleep": clock, "monotonic": clock, "streams": aws}


def taken(path: Path) -> set[str]:
    """The modules of these that a file imports."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found |= TAKEN & {*names}
    return found


def test_nobody_else_takes_anything_from_there() -> None:
    paths = [path for path in ENGINE.rglob("*.py") if not path.is_relative_to(ENGINE / "testing")]
    found = {path.relative_to(ENGINE).as_posix(): taken(path) for path in paths}
    assert {name: each for name, each in found.items() if each} == ALLOWED


def present() -> dict[str, Any]:
    return {each.name: getattr(HOMES.get(each.name, surroundings), each.name) for each in fields(Surroundings)}


def test_all_of_it_is_replaced_by_one_call_and_back_again() -> None:
    before, slept = present(), list[float]()
    other = in_turn(lambda: 42_000, slept.append, Random(1), lambda: "streams")
    with suppress(ZeroDivisionError), replaced(other):
        assert present() == vars(other)
        clock.sleep(5)
        _ = 1 / 0
    assert slept == [5]
    assert present() == before


def test_in_turn_everything_is_the_same_each_time() -> None:
    def drawn() -> tuple[Any, ...]:
        other = in_turn(lambda: 42_000, lambda _: None, Random(1), lambda: None)
        with replaced(other), surroundings.threads(3) as pool:
            done = list(pool.map(lambda one, two: one + two, [1, 2], [3, 4]))
            return done, surroundings.token(4), surroundings.uniform(0, 1), clock.monotonic()

    assert drawn() == drawn()
    done, token, uniform, monotonic = drawn()
    assert (done, len(token), monotonic) == ([4, 6], 8, 42)
    assert 0 <= uniform <= 1
