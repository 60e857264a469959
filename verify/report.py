"""The report of a run: its verdict, and the table of observations of AWS, without account ids and ARNs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from verify.facts import Difference
from verify.probing import Seen

EXACT, WRONG, UNFINISHED = 0, 1, 2
_ARN = re.compile(r"arn:[\w-]*:[^\s\"',}\])|]+")
_ACCOUNT = re.compile(r"(?<!\d)\d{12}(?!\d)")


@dataclass
class Verdict:
    """All differences, and all steps that could not be run, with the reasons."""

    differences: list[Difference] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)

    @property
    def status(self) -> int:
        """The exit status: 0 exact, 1 a number differs, 2 a step could not be run."""
        if self.differences:
            return WRONG
        return UNFINISHED if self.not_run else EXACT

    def lines(self) -> list[str]:
        """The verdict in words."""
        different = sorted(set(self.differences), key=str)
        named = {each.name for each in different}
        last = {
            EXACT: "verify: exact",
            WRONG: f"verify: {len(different)} differences in {len(named)} aggregates",
            UNFINISHED: "verify: not everything could be run",
        }
        could_not = [f"could not be run: {what}" for what in self.not_run]
        return [masked(line) for line in [*map(str, different), *could_not, last[self.status]]]


def masked(text: str) -> str:
    """The text without ARNs and account ids."""
    return _ACCOUNT.sub("(account)", _ARN.sub("(arn)", text))


def table(seen: Sequence[Seen]) -> list[str]:
    """The observations of all assumptions, as a table in Markdown."""
    rows = [(each.name, each.verdict, masked(each.what).replace("|", "/").replace("\n", " ")) for each in seen]
    header = ("assumption", "verdict", "seen")
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [header, tuple("-" * width for width in widths), *rows]
    padded = (map(str.ljust, line, widths) for line in lines)
    return [f"| {' | '.join(cells)} |".rstrip() for cells in padded]
