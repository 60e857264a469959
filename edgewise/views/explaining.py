"""What keeping a view takes, told before anything is deployed: its plan with the reasons, and its write units."""

from dataclasses import dataclass

from edgewise.aggregates.explaining import Explanation, explain
from edgewise.dynamodb.attributes import Item, typed
from edgewise.views.keeping import Kept
from edgewise.views.planning import Plan


@dataclass(frozen=True)
class Explained:
    """How a view is kept, and what one more item of some sort changes in it.

    `carriers`: write units of carriers, for a change that shares its batch with no other one. Beside these, each batch
    has a unit for all views together, which says how far its shard has come.
    """

    plan: Plan
    puts: Explanation
    carriers: int

    @property
    def units(self) -> int:
        """The write units of a change that shares nothing: of the rows, of what is kept between, and of carriers."""
        return self.puts.units + self.carriers

    def __str__(self) -> str:
        """The plan, a line for each reason and each kind, and the sum."""
        declared = self.plan.declared
        reasons = [f"    {reason}" for reason in self.plan.reasons]
        kinds = [f"    {each}" for each in self.puts.kinds if each.changed]
        carriers = [f"    carriers: {self.carriers} write unit a batch"] if self.carriers else []
        told = [declared.full_name, *reasons, *kinds, *carriers]
        beside = "and one a batch, for all views together"
        return "\n".join([*told, f"at most {self.units} write units for one such item, {beside}"])


def explained(kept: Kept, item: Item) -> Explained:
    """What another item like this one, as the table has it, changes in a view, and in the one that it is made of.

    Raises PlainItemError for an item of plain values, ValueError for one that can't be read.
    """
    existing = kept.declared.table.existing([kept.items])
    example, kinds = existing.read(typed(item)), list(dict.fromkeys((*kept.below, *kept.kinds)))
    stored = existing.stored if existing.has_room else lambda engines: engines
    puts = explain(*kinds, example=example, stored=stored)
    # A batch has one carrier for all rows of a view.
    carriers = int(any(each.kind.shared for each in puts.kinds if each.changed))
    return Explained(kept.plan, puts, carriers)
