"""What not everybody may read: private partitions (System.private), and kinds that only their system's routes show."""

from collections.abc import Set
from typing import Final

from edgewise import Kind
from edgewise.dynamodb.keys import split
from functions.catalog import SYSTEMS
from functions.web.admission import Caller

_NAMES: Final[Set[str]] = {partitions.name for system in SYSTEMS for partitions in system.private}


def is_private(pk: str) -> bool:
    """Whether the partition with this key is private."""
    return split(pk)[0] in _NAMES


def may_be_read(kind: Kind, caller: Caller) -> None:
    """Raises ForbiddenError unless everybody may read the kind, or the caller is an administrator."""
    if not kind.readable_by_all:
        caller.must_be_in("admin", f"read a {kind.name} without asking for its owner's permission")
