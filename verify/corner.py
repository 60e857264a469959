"""The corner of a deployment that belongs to one run: every id in it begins with the run's own name."""

import secrets
from dataclasses import dataclass


@dataclass(frozen=True)
class Corner:
    """The run's name, such as `verify-1a2b3c4d`."""

    name: str

    @classmethod
    def new(cls) -> "Corner":
        """A new, unused corner."""
        return cls(f"verify-{secrets.token_hex(4)}")

    def id(self, *parts: object) -> str:
        """An id in the corner."""
        return "-".join([self.name, *map(str, parts)])
