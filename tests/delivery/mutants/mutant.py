"""A variant of the consumer that is wrong in one way, and what brings that to light."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from tests.delivery.mutants.changes import Change
from tests.delivery.mutants.trial import Trial


class Mutant:
    """`caught_by` has no more faults and kinds of happenings than it takes to tell the mutant from the program.

    So each mutant says why something stands in the program: without it, these very things make the aggregates wrong.
    """

    def __init__(self, name: str, caught_by: Trial, *changes: Change) -> None:
        self.name, self.caught_by, self.changes = name, caught_by, changes

    @contextmanager
    def lives(self) -> Iterator[None]:
        """The program is the mutant inside, and itself afterwards."""
        with ExitStack() as stack:
            for change in self.changes:
                stack.enter_context(change.made())
            yield
