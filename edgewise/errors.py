"""The errors of the engine, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class EdgewiseError(Exception):
    """The base of every error that a caller can cause or must know about.

    `members` are additional members of the HTTP problem, for programs.
    """

    members: Mapping[str, int | str] = {}


@dataclass(frozen=True)
class FieldError:
    """One error in one field of the input; `field` is a dotted path such as `metrics.temp`."""

    field: str
    error: str


class InvalidInputError(EdgewiseError):
    """The request is invalid; carries every field that is at fault."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__("; ".join(f"{e.field}: {e.error}" for e in errors))
        self.errors = tuple(errors)

    @classmethod
    def of(cls, field: str, error: str) -> "InvalidInputError":
        """The usual case: one field with one error."""
        return cls([FieldError(field, error)])


class NotFoundError(EdgewiseError):
    """There is nothing of this kind under this id."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"there is no {kind} '{name}'")
        self.kind, self.name = kind, name


class ShrinkRefusedError(EdgewiseError):
    """A room or list can't give up shards: what they hold would have to be moved while others write."""

    def __init__(self, name: str, found: int, wanted: int) -> None:
        super().__init__(f"'{name}' has {found} shards and can't go down to {wanted}: what they hold stays where it is")
        self.name, self.found, self.wanted = name, found, wanted


class ConcurrentChangeError(EdgewiseError):
    """Somebody else changed the same thing at the same time; the caller may read it again and repeat."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"the {kind} '{name}' was changed by someone else at the same time")
        self.kind, self.name = kind, name


class PassingError(Exception):
    """The base of transient errors, whose cause is outside the input: the same work may succeed when repeated."""


class OutOfTimeError(PassingError):
    """There was no time for all of it; `done` is how much is done. The same work, begun again, goes on from there."""

    def __init__(self, name: str, done: int) -> None:
        super().__init__(f"{name}: out of time after {done}")
        self.name, self.done = name, done


class UnknownShardError(Exception):
    """The event does not name its stream shard, so its checkpoints can't be told apart; nothing was done."""

    def __init__(self) -> None:
        super().__init__("the event has no shardId: set TumblingWindowInSeconds of its event source mapping")


class NotYetFilledError(EdgewiseError):
    """A view does not count yet what was stored before it was declared; `seen`: how many items its fill has read.

    It is None while nobody has asked for the fill.
    """

    def __init__(self, view: str, seen: int | None) -> None:
        far = "nobody has asked for that" if seen is None else f"of the table's items, {seen} are read so far"
        way_out = 'ask its function for operators to {"do": "fill"}, and read it when that is complete'
        super().__init__(f"{view} does not count yet what was stored before it was declared ({far}): {way_out}")
        self.view, self.seen = view, seen


class MalformedRecordError(EdgewiseError):
    """A stream record can't be understood; the whole record goes to quarantine."""
