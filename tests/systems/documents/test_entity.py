"""Who may do what with a document."""

import pytest

from edgewise.errors import NotFoundError
from functions.errors import NotPermittedError
from functions.systems.documents.entity import Permissions, Right

QUARANTINED = Permissions(
    "d", "olga", {"Rita": "rita", "Both": "both"}, {"Will": "will", "Both": "both"}, version=3, owner_name="Olga"
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


def test_each_name_with_another_right_is_counted_once() -> None:
    """Both may no longer write, Will nothing, Stan may write, and Rita is somebody else; Zoe is as she was."""
    before = Permissions("d", "olga", {"Rita": "r1", "Both": "b", "Zoe": "z"}, {"Will": "w", "Both": "b"})
    changed = before.changed({"Rita": "r2", "Both": "b", "Zoe": "z"}, {"Stan": "s"})
    assert changed.differing(before) == before.differing(changed) == 4
    assert changed.differing(changed) == 0


def test_the_owner_stays_whatever_is_permitted() -> None:
    changed = QUARANTINED.changed({}, {"Stan": "stan"})
    assert (changed.owner, changed.owner_name, changed.version) == ("olga", "Olga", 4)
    assert [changed.right_of(user).name for user in ("olga", "stan", "will", "rita")] == [
        "OWN",
        "WRITE",
        "NONE",
        "NONE",
    ]
