"""What may be subscribed to, and which topics a change of the table is about."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from edgewise import Item
from edgewise.dynamodb.attributes import string
from edgewise.failures import PoisonError, sorted_out
from functions.owned import is_withdrawn
from functions.system import Live


class News(NamedTuple):
    """A change that subscribers of a topic want to know of; `shown`: what they are sent, as JSON; "": the answer.

    `withdrawn`: it only names what was taken back.
    """

    topic: str
    shown: str = ""
    withdrawn: bool = False


class Topics:
    """All that people may subscribe to."""

    def __init__(self, live: Iterable[Live]) -> None:
        self._by_type: defaultdict[str, list[Live]] = defaultdict(list)
        for each in live:
            for kind in each.changes:
                self._by_type[kind].append(each)

    @property
    def types(self) -> frozenset[str]:
        """The types of items whose changes are news to somebody."""
        return frozenset(self._by_type)

    def news(self, record: Mapping[str, Any]) -> list[News]:
        """What a stream record tells subscribers; nothing if it can't be understood.

        The stream's other reader sets such records aside.
        """
        try:
            with sorted_out():
                change = record["dynamodb"]
                return list(dict.fromkeys(self._news(change.get("NewImage"), change.get("OldImage"))))
        except PoisonError:
            return []

    def _news(self, new: Item | None, old: Item | None) -> Iterator[News]:
        item: Item = new or old or {}
        kind = string(item["Type"])
        for live in self._by_type.get(kind, ()):
            for topic in live.changes[kind](item):
                if live.shown is None:
                    yield News(topic)
                elif new is not None and not is_withdrawn(new):
                    yield News(topic, json.dumps(live.shown(new), ensure_ascii=False))
                elif new is not None and live.named is not None:
                    yield News(topic, json.dumps(live.named(new), ensure_ascii=False), withdrawn=True)
