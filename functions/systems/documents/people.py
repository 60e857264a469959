"""Whom an owner names: a name stands for the user who has it when the permission is given, and stays that user's.

A name that nobody has stands for nobody, for good: it gets a `sub` that nobody has. Neither the answer nor what it took
nor what is stored differs from that of a user's name, so nobody learns who exists.
"""

from collections.abc import Callable, Mapping, Sequence
from uuid import uuid4

from edgewise import FieldError, InvalidInputError
from functions.systems.documents.entity import Permissions

# Each is one look-up after the other, and somebody waits.
MOST_NEW = 20
# Units of a look-up: all callers share 120 look-ups in a second, Cognito's quota, and about 4,000 units of the table.
LOOK_UP = 30

# The `sub` of the user whom each name means now; None: nobody.
Find = Callable[[Sequence[str]], Mapping[str, str | None]]


def losing(held: Permissions, changed: Permissions) -> Sequence[str]:
    """The `sub` of each user who may not read any more.

    As many as names that are gone: for one whose user may still read, under another name, a `sub` that nobody has. So
    nobody learns whether two names are one user's.
    """
    subs = {**held.readers, **held.writers}
    gone = held.names - changed.names
    users = {subs[name] for name in gone} - changed.users
    return [*users, *(str(uuid4()) for _ in range(len(gone) - len(users)))]


def permitting(held: Permissions, readers: Sequence[str], writers: Sequence[str], find: Find) -> Permissions:
    """The permissions with these readers and writers; raises InvalidInputError for too many new names at once.

    Whoever had a permission under a name keeps it, also if another user has that name by now.
    """
    known = {**held.readers, **held.writers}
    new = {*readers, *writers} - known.keys()
    if len(new) > MOST_NEW:
        error = f"a request may name {MOST_NEW} who had no permission, not {len(new)}: name the others in the next one"
        fields = (field for field, names in (("readers", readers), ("writers", writers)) if new.intersection(names))
        raise InvalidInputError([FieldError(field, error) for field in fields])
    subs = known | {name: sub or str(uuid4()) for name, sub in find(sorted(new)).items()}
    return held.changed({name: subs[name] for name in readers}, {name: subs[name] for name in writers})
