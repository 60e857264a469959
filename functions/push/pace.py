"""At most one notice a second for each topic, and one after its last change: nothing grows behind a slow reader."""

from edgewise import Millis
from edgewise.times import SECOND

# In seconds, as queues delay messages.
NOW, LATER = 0, 1
_MOST_REMEMBERED = 10_000


class Pace:
    """When the last notice of each topic was, or will be, delivered.

    Whoever handles a notice reads the state then. So a change before a notice that is still delayed needs no other.
    """

    def __init__(self) -> None:
        self._due: dict[str, Millis] = {}

    def delay(self, topic: str, now: Millis) -> int | None:
        """By how many seconds to delay a notice of a change; None: one that is on its way will do."""
        due = self._due.get(topic)
        if due is not None and due > now:
            return None
        wait = NOW if due is None or now - due >= SECOND else LATER
        if len(self._due) >= _MOST_REMEMBERED:
            self._due = {known: at for known, at in self._due.items() if now - at < SECOND}
        self._due[topic] = now + wait * SECOND
        return wait
