"""One system as the delivery tests see it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from functions.store.attributes import Item


@dataclass(frozen=True)
class Source:
    """A source item as it is stored, and the same in plain Python for the recount."""

    item: Item
    fact: Any


@dataclass(frozen=True)
class Story:
    """A system's sources and aggregates.

    - `sources`: items of few keys, so that storing one often changes another
    - `recount`: what the aggregates must say, counted from the facts of the sources that are stored at the end by
      plain Python: nothing of `functions.domain` is used
    - `actual`: what they do say, read off the items of the whole table (other kinds are passed over)
    """

    name: str
    sources: st.SearchStrategy[Source]
    recount: Callable[[list[Any]], dict[Any, Any]]
    actual: Callable[[list[Item]], dict[Any, Any]]
