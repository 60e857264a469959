"""One run of the function, and the fault that strikes it at one of its writes."""

from collections.abc import Callable
from dataclasses import dataclass

from delivery.faults import Fault
from delivery.writes import KilledError, ThrottledError

_OTHERS_RUN = (Fault.RACED, Fault.ZOMBIE_BESIDE)
_AT_A_WRITE = (*_OTHERS_RUN, Fault.KILLED_BEFORE, Fault.KILLED_AFTER, Fault.WRITE_REPEATED, Fault.THROTTLED)


@dataclass
class Invocation:
    """A run of the function. `strikes_at` is the number of the write, from 1, at which a write fault strikes.

    - `meanwhile`: lets others run, for the faults that need it
    - `abandoned`: its poller no longer waits for it; `dead`: its process ended
    """

    fault: Fault | None
    strikes_at: int
    meanwhile: Callable[["Invocation"], None]
    writes: int = 0
    abandoned: bool = False
    dead: bool = False
    _repeated: bool = False

    @property
    def struck(self) -> Fault | None:
        """The fault, unless it was to strike at a write that never came."""
        return None if self.fault in _AT_A_WRITE and self.writes < self.strikes_at else self.fault

    def before(self) -> None:
        """A write is about to be made."""
        self.writes += 1
        self._die_if(self.dead or self._strikes(Fault.KILLED_BEFORE))
        if self.fault is Fault.THROTTLED and self.writes >= self.strikes_at:
            raise ThrottledError("the simulated table has no capacity left")
        if any(map(self._strikes, _OTHERS_RUN)):
            self.meanwhile(self)

    def after(self) -> bool:
        """A write was applied; True: it must be sent again."""
        self._die_if(self._strikes(Fault.KILLED_AFTER))
        again = self._strikes(Fault.WRITE_REPEATED) and not self._repeated
        self._repeated = self._repeated or again
        return again

    def _strikes(self, fault: Fault) -> bool:
        return self.fault is fault and self.writes == self.strikes_at

    def _die_if(self, condition: bool) -> None:
        if condition:
            self.dead = True
            raise KilledError
