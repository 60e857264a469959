"""The application's errors, as data. functions/web/problems.py maps those that a request can meet to HTTP problems."""

from edgewise import FieldError, InvalidInputError
from edgewise.errors import EdgewiseError


class RequestTooLargeError(InvalidInputError):
    """A list would take more write units than one request may; carries both, and the list's name in the body."""

    def __init__(self, field: str, units: int, most: int) -> None:
        fault = f"would take {units} write units, and a request may take {most}: send fewer at once"
        super().__init__([FieldError(field, fault)])
        self.field, self.units, self.most = field, units, most
        self.members = {"units": units, "most_units": most}


class RateExceededError(EdgewiseError):
    """The caller uses the table faster than its rate, in units a second; carries after how many seconds to retry."""

    def __init__(self, rate: int, seconds: int) -> None:
        super().__init__(f"you may use {rate} units a second, and have used more: retry after {seconds} s")
        self.rate, self.seconds = rate, seconds
        self.members = {"rate": rate}


class UsersUnavailableError(EdgewiseError):
    """The user pool did not say whom a name means; carries after how many seconds to retry."""

    def __init__(self, seconds: int) -> None:
        super().__init__("who has a name can't be found out now: retry the request later")
        self.seconds = seconds


class RunUnavailableError(EdgewiseError):
    """A run in memory took longer than a request may; carries after how many seconds to retry."""

    def __init__(self, seconds: int) -> None:
        super().__init__("the run took too long here now: retry the request later, or with a shorter script")
        self.seconds = seconds


class MetricsUnavailableError(EdgewiseError):
    """CloudWatch did not say what was measured; carries after how many seconds to retry."""

    def __init__(self, seconds: int) -> None:
        super().__init__("what was measured can't be found out now: retry the request later")
        self.seconds = seconds


class ForbiddenError(EdgewiseError):
    """The caller is authenticated but not a member of the group that may do this."""

    def __init__(self, group: str, action: str) -> None:
        super().__init__(f"only members of the group '{group}' may {action}")
        self.group = group
        self.members = {"group": group}


class TokenRefusedError(EdgewiseError):
    """The gateway has verified the token, but nobody may call a route with such a one."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the token {why}")
        self.why = why


class NotPermittedError(EdgewiseError):
    """The caller may know that the thing exists, but may not do this with it."""

    def __init__(self, action: str) -> None:
        super().__init__(f"you may not {action}")
        self.action = action


class WithdrawnError(EdgewiseError):
    """Somebody else has taken the thing back; carries the kind, the name, and when."""

    def __init__(self, kind: str, name: str, at: str) -> None:
        super().__init__(f"the {kind} '{name}' was withdrawn")
        self.kind, self.name, self.at = kind, name, at
        self.members = {"withdrawn_at": at}


class UnsupportedMediaTypeError(EdgewiseError):
    """The body is not JSON."""

    def __init__(self, found: str) -> None:
        super().__init__(f"send application/json, not {found}")
        self.found = found


class AlreadyExistsError(EdgewiseError):
    """Another thing of this kind already has this id, and it stays."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"another {kind} '{name}' already exists")
        self.kind, self.name = kind, name


class BeingDeletedError(EdgewiseError):
    """A deleted thing must be gone before it can be created again; the caller may repeat this a little later."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"the {kind} '{name}' is still being deleted")
        self.kind, self.name = kind, name


class PreconditionFailedError(EdgewiseError):
    """The stored version is not the one that the caller demands; carries it, 0: there is none."""

    def __init__(self, kind: str, name: str, found: int) -> None:
        at = f"the {kind} '{name}' is at version {found}" if found else f"there is no {kind} '{name}'"
        super().__init__(f"{at}, so the request's condition does not hold")
        self.kind, self.name, self.found = kind, name, found
        self.members = {"current_version": found}


class VersionConflictError(EdgewiseError):
    """Somebody else stored another version first; version 0: there is none."""

    def __init__(self, kind: str, name: str, expected: int, found: int) -> None:
        super().__init__(f"the {kind} '{name}' is at version {found}, not {expected}")
        self.kind, self.name, self.expected, self.found = kind, name, expected, found
        self.members = {"current_version": found}


class AlreadyRunningError(EdgewiseError):
    """Another run holds the lock; carries its name, and since when it runs, as RFC 3339."""

    def __init__(self, run: str, since: str) -> None:
        super().__init__(f"the run {run} is still running, since {since}")
        self.run, self.since = run, since


class LostLockError(EdgewiseError):
    """A run does not hold the lock any more: it has ended, or let the lock expire and another run took it."""

    def __init__(self, run: str) -> None:
        super().__init__(f"the run {run} does not hold the lock any more")
        self.run = run


class TornResultError(EdgewiseError):
    """Results of a run that can't be trusted: `name` is the object, and `why` says what is wrong with it."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name, self.why = name, why


class BeingFilledError(EdgewiseError):
    """The search index was made by another release, and does not know what was asked; one that does is being filled."""

    def __init__(self) -> None:
        super().__init__("the index is being filled anew: until it is full, search without `where`")
