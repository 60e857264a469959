"""Which repairs wait for others: what the stream carries from one to the next must meet a line of the same plan.

A plan adds to each aggregate what it lacks against what is stored one rank below; the stream then carries what repairs
below change. If one of the lines that belong together were left out, the stream would make a right number wrong. So
either all of them are in the plan, or none.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from batch.comparing import UNREADABLE, Compared
from edgewise.dynamodb.keys import Key


@dataclass(frozen=True)
class Links:
    """What becomes something else when these aggregates are right: wrong ones, and those that nobody knows about.

    Kinds that are being `backfilled` count too little anyway, and their readers are told, so nothing waits for them.
    """

    differing: Sequence[Compared]
    backfilled: Set[str]

    @cached_property
    def feeding(self) -> Sequence[Compared]:
        """Those of them that feed others."""
        return [each for each in self.differing if each.feeds and each.kind not in self.backfilled]

    @property
    def linked(self) -> Set[Key]:
        """These, and the others."""
        return {key for each in self.feeding for key in (each.key, *each.feeds)}

    def divided(self, lines: Sequence[Compared], uncertain: Set[Key]) -> tuple[Sequence[Compared], Sequence[Compared]]:
        """The lines of a plan, numbered by what belongs together, and those that wait for what is `uncertain`.

        A line that lets an hour close adds nothing yet, so it waits for nobody.
        """
        groups = _Groups()
        for each in self.feeding:
            for key in each.feeds:
                groups.join(each.key, key)
        waiting = {groups.of(key) for key in uncertain}
        sizes = Counter(groups.of(each.key) for each in lines)
        linked = sorted(group for group, size in sizes.items() if size > 1)
        numbers = {group: number for number, group in enumerate(linked, start=1)}
        planned, held = list[Compared](), list[Compared]()
        for each in lines:
            group = groups.of(each.key)
            waits = group in waiting and not (each.close or each.kind in self.backfilled)
            (held if waits else planned).append(replace(each, together=numbers.get(group, 0)))
        return planned, held


def uncertain(linked: Set[Key], unplanned: Set[str], backfilled: Set[str], rows: Iterable[Compared]) -> Iterator[Key]:
    """Those that are linked and that a plan leaves as they are, although they are wrong, or nobody knows.

    A plan has no lines for the kinds in `unplanned`. One that lets an hour close is followed by another.
    """
    for row in (each for each in rows if each.key in linked and each.kind not in backfilled):
        left_out = bool(row.adds) and (row.close or row.kind in unplanned)
        if row.unsettled or row.why == UNREADABLE or left_out:
            yield row.key


class _Groups:
    """Keys that belong together; each group has the name of one of its keys."""

    def __init__(self) -> None:
        self._names: dict[Key, Key] = {}

    def of(self, key: Key) -> Key:
        """The name of the key's group."""
        path = [key]
        while (above := self._names.get(path[-1], path[-1])) != path[-1]:
            path.append(above)
        self._names |= dict.fromkeys(path[:-1], path[-1])
        return path[-1]

    def join(self, one: Key, other: Key) -> None:
        """Let the groups of both be one."""
        first, second = self.of(one), self.of(other)
        if first != second:
            self._names[second] = first
