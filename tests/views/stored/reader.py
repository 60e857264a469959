"""Reads rows as docs/stored-format.md says, as a service in any language would: nothing here is the engine's."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from hashlib import sha256
from typing import Any, NamedTuple


class Row(NamedTuple):
    """What is found under a key; `whole`: it lacks nothing, as far as it says itself."""

    measures: dict[str, Any]
    whole: bool


class Reader:
    """Reads the items of a table; `view` is what a view is called in it."""

    def __init__(self, items: Sequence[Any]) -> None:
        self._items = {(item["pk"]["S"], item["sk"]["S"]): item["Edgewise"]["M"] for item in items}

    def get(self, view: str, first: str, *rest: str) -> Row:
        """A row by its keys; `first` is `all` if the view has no key but periods."""
        return _row(self._items.get((_partition(view, first), joined("AT", *rest)), {}))

    def between(self, view: str, first: str, low: str, high: str) -> Sequence[Mapping[str, Any]]:
        """The rows between two values of the second, and last, key."""
        found = self._query(_partition(view, first), "AT#")
        return [_row(found[sk]).measures for sk in found if joined("AT", low) <= sk <= joined("AT", high)]

    def values(self, view: str, measure: str, first: str, *rest: str) -> Sequence[str]:
        """The values that a row counts as distinct."""
        found = self._query(_partition(view, first), joined("OF", measure, *rest) + "#")
        values = [split(sk)[-1] for sk, item in found.items() if "Row" in item]
        return sorted(value.removeprefix("\0") for value in values if value)

    def ranking(self, view: str, name: str, by: str, first: str, *rest: str) -> tuple[Sequence[tuple[str, Any]], bool]:
        """The members of a ranking with their numbers, the greatest first; and whether none lacks anything."""
        named = self._items[f"edgewise#{joined(f'{view}-{name}', first, *rest)}#by", "RANKING"]
        members = [split(each)[0] for key in ("Names", "Unsure") for each in named.get(key, {"SS": ()})["SS"]]
        totals = {each: (_partition(view, first), joined("TOP", name, *rest, each)) for each in members}
        found = {each: _row(self._items.get(key, {})) for each, key in totals.items()}
        placed = [(each, row.measures[by]) for each, row in found.items() if row.measures]
        return sorted(placed, key=lambda each: each[1], reverse=True), all(row.whole for row in found.values())

    def doubted(self, view: str, *keys: str) -> bool:
        """Whether a row may lack what can't be read."""
        names = {name["S"] for name in self._items["edgewise#QUARANTINE", "DOUBTS"]["Doubts"]["L"]}
        digest = sha256(joined(*keys).encode()).hexdigest()[:16]
        return bool(names & {"*", view, f"{view} {digest}"} or any(name.startswith(f"{view}-") for name in names))

    def _query(self, partition: str, begins: str) -> Mapping[str, Any]:
        return {sk: item for (pk, sk), item in sorted(self._items.items()) if pk == partition and sk.startswith(begins)}


def joined(*components: str) -> str:
    return "#".join(re.sub("[\0-$]", lambda found: f"${ord(found[0]):02x}", each) for each in components)


def split(key: str) -> list[str]:
    return [re.sub(r"\$([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), each) for each in key.split("#")]


def _partition(view: str, first: str) -> str:
    return joined("edgewise", view, first)


def _row(item: Any) -> Row:
    return Row(_plain(item.get("Row", {"M": {}})), "Incomplete" not in item)


def _plain(value: Any) -> Any:
    ((form, found),) = value.items()
    if form == "M":
        return {name: _plain(each) for name, each in found.items()}
    return Decimal(found) if form == "N" else found
