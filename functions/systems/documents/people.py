"""Whom an owner names: a name stands for the user who has it when the permission is given, and stays that user's."""

from collections.abc import Mapping, Sequence, Set

from edgewise import FieldError, InvalidInputError
from functions import users
from functions.settings import DocumentsSettings
from functions.systems.documents.entity import Permissions
from functions.users import User


def permitting(held: Permissions, readers: Sequence[str], writers: Sequence[str]) -> Permissions:
    """The permissions with these readers and writers; raises InvalidInputError that names those whom nobody knows.

    Whoever had a permission under a name keeps it, also if another user has that name by now.
    """
    found = _users(held, {*readers, *writers})
    faults = [
        FieldError(f"{field}.{place}", "is the name of no user")
        for field, names in (("readers", readers), ("writers", writers))
        for place, name in enumerate(names)
        if name not in found
    ]
    if faults:
        raise InvalidInputError(faults)
    reading, writing = (frozenset(found[name].sub for name in names) for names in (readers, writers))
    return held.changed(reading, writing, {user.sub: user.name for user in found.values()})


def _users(held: Permissions, names: Set[str]) -> Mapping[str, User]:
    """Those of the names that are known, with whom they mean."""
    known = {held.names[sub]: User(sub, held.names[sub]) for sub in held.readers | held.writers if sub in held.names}
    pool = DocumentsSettings.from_env().user_pool_id
    asked = {name: known.get(name) or users.find(pool, name) for name in sorted(names)}
    return {name: user for name, user in asked.items() if user}
