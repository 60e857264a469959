"""Who may do what with a document."""

import pytest

from edgewise.errors import NotFoundError
from functions.errors import NotPermittedError
from functions.systems.documents.entity import Permissions, Right

QUARANTINED = Permissions(
    "d", "olga", readers=frozenset({"rita", "both"}), writers=frozenset({"will", "both"}), version=3
)
RIGHTS = {"olga": "OWN", "will": "WRITE", "both": "WRITE", "rita": "READ", "stan": "NONE", "": "NONE", "Olga": "NONE"}
# What each right allows, most of it first.
ALLOWED = {"OWN": "OWN WRITE READ", "WRITE": "WRITE READ", "READ": "READ", "NONE": ""}


@pytest.mark.parametrize("wanted", ["READ", "WRITE", "OWN"])
@pytest.mark.parametrize("user", RIGHTS)
def test_a_right_is_demanded(user: str, wanted: str) -> None:
    if wanted in ALLOWED[RIGHTS[user]].split():
        QUARANTINED.demand(Right[wanted], user)
    elif RIGHTS[user] == "NONE":
        with pytest.raises(NotFoundError) as hidden:
            QUARANTINED.demand(Right[wanted], user)
        assert str(hidden.value) == "there is no document 'd'"
    else:
        with pytest.raises(NotPermittedError):
            QUARANTINED.demand(Right[wanted], user)


def test_the_owner_stays_whatever_is_permitted() -> None:
    changed = QUARANTINED.changed(frozenset(), frozenset({"stan"}), {})
    assert (changed.owner, changed.version) == ("olga", 4)
    assert [changed.right_of(user).name for user in ("olga", "stan", "will", "rita")] == [
        "OWN",
        "WRITE",
        "NONE",
        "NONE",
    ]
