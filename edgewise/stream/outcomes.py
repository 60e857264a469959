"""What came of the aggregates of a batch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.continuations import items
from edgewise.aggregates.effects import Batch
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.open_hours.acknowledging import Acknowledged

# Aggregates that could not absorb everything, each with the reason.
Lacking = Mapping[AggregateId, str]


class Outcome(Enum):
    """The outcome of one try to bring an aggregate up to date. CURRENT: it had absorbed everything already."""

    WRITTEN = auto()
    CURRENT = auto()
    REFUSED = auto()


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of one aggregate.

    `item`: the aggregate as it was when it was up to date; None: it never was. One that was CURRENT may have changed
    since. `lacking`: who could not absorb everything, itself or others that it would have told.
    """

    outcome: Outcome
    item: Aggregate | None = None
    lacking: Lacking = field(default_factory=dict)

    def then(self, later: "Ended") -> "Ended":
        """What came of it in the end, after a later try."""
        return Ended(later.outcome, later.item or self.item, {**self.lacking, **later.lacking})


@dataclass(frozen=True)
class Done:
    """What came of some aggregates of a batch; those are missing for which there was no time."""

    ended: Mapping[AggregateId, Ended] = field(default_factory=dict)
    acknowledged: Acknowledged = field(default_factory=dict)

    def then(self, later: "Done") -> "Done":
        """What came of them in the end, after these of them, or others, were tried."""
        again = {about: self.ended[about].then(each) for about, each in later.ended.items() if about in self.ended}
        return Done({**self.ended, **later.ended, **again}, {**self.acknowledged, **later.acknowledged})

    @property
    def lacking(self) -> Lacking:
        """Who could not absorb everything."""
        return {about: why for each in self.ended.values() for about, why in each.lacking.items()}

    def count(self, outcome: Outcome) -> int:
        """How many aggregates had this outcome."""
        return sum(each.outcome is outcome for each in self.ended.values())

    def left(self, of: Sequence[AggregateId]) -> list[AggregateId]:
        """Those of some aggregates that are not up to date."""
        return [about for about in of if about not in self.ended or self.ended[about].outcome is Outcome.REFUSED]

    def passed_on(self, batch: Batch) -> Batch:
        """The effects that full aggregates, once all are up to date, pass on to their continuations."""
        ended = ((each.item, batch[about]) for about, each in self.ended.items() if each.item)
        return {each: rest for item, own in ended if item.full for each, rest in items.passed_on(item, own).items()}
