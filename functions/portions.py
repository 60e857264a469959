"""What goes in several requests, because each takes only so many bytes."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def portions(items: Iterable[T], bytes_of: Callable[[T], int], most: int) -> Iterator[list[T]]:
    """The items in their order, together as many as have `most` bytes at most; one that has more goes alone."""
    some, size = list[T](), 0
    for each in items:
        length = bytes_of(each)
        if some and size + length > most:
            yield some
            some, size = [], 0
        some.append(each)
        size += length
    if some:
        yield some
