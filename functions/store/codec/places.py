"""Items of places."""

from collections.abc import Callable, Mapping
from typing import Any

from functions.store.attributes import Item
from functions.store.codec.edges import edge

SOURCES: Mapping[str, Callable[[Item], Any]] = {"HOSTS": edge}
