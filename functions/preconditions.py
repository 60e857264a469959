"""What a caller demands of a stored version before a change."""

from dataclasses import dataclass

from functions.errors import PreconditionFailedError


@dataclass(frozen=True)
class Expected:
    """The one version that must be stored; 0: there must be none; None: there must be one, whichever it is."""

    version: int | None

    def demand(self, kind: str, name: str, found: int) -> None:
        """Raise PreconditionFailedError, with the kind and name, unless the version found (0: none) will do."""
        if not found if self.version is None else found != self.version:
            raise PreconditionFailedError(kind, name, found)


ANY, NONE = Expected(None), Expected(0)
