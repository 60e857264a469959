"""Where in a request something stands, and what a problem says is at fault."""

from collections.abc import Iterator
from typing import Any

from tests.support.http import Answer

Step = str | int
Path = tuple[Step, ...]


def positions(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Everything in a body: each member and element, each with its path; the body itself is not among them."""
    if at:
        yield at, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in inner:
        yield from positions(each, (*at, step))


def replaced(value: Any, at: Path, by: Any) -> Any:
    """The body with something else at a path."""
    if not at:
        return by
    step, *rest = at
    copy: Any = dict(value) if isinstance(value, dict) else list(value)
    copy[step] = replaced(value[step], tuple(rest), by)
    return copy


def removed(value: Any, at: Path) -> Any:
    """The body without a member or element."""
    *above, last = at
    inner = value
    for step in above:
        inner = inner[step]
    without: Any = (
        {name: each for name, each in inner.items() if name != last}
        if isinstance(inner, dict)
        else [each for number, each in enumerate(inner) if number != last]
    )
    return replaced(value, tuple(above), without)


def dotted(at: Path) -> str:
    """A path as problems spell it."""
    return ".".join(map(str, at))


def faults(answer: Answer, judged: str | None) -> list[str]:
    """The fields that an answer names; those of a list whose elements are judged one by one with their place in it."""
    if answer.status != 202 or judged is None:
        return answer.fields if answer.status >= 400 else []
    return [
        f"{judged}.{fault['index']}" + ("" if fault["field"] == "body" else f".{fault['field']}")
        for fault in answer.body["rejected"]
    ]


def names(fault: str, at: str) -> bool:
    """Whether a fault is at a position, in what stands there, or around it."""
    return fault == "body" or fault == at or fault.startswith(f"{at}.") or at.startswith(f"{fault}.")
