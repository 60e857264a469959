"""Keys of audits: partition EQUIPMENT#id holds the newest audit of each part (v0_Audit#part) and all of them."""

from functions.dynamodb.keys import Key, Partitions, join, prefix, take
from functions.revisions.keys import number

EQUIPMENT = Partitions("EQUIPMENT")
_AUDIT, _NEWEST = "Audit", "v0_Audit"
# The newest audits sort last in their partition, directly after the summary, so one range covers both.
NEWEST_END = "v0`"  # the character after _


def equipment(equipment_id: str) -> str:
    """The partition of some equipment."""
    return EQUIPMENT(equipment_id)


def newest(equipment_id: str, part: str) -> Key:
    """The copy of a part's newest audit; the part is empty for the equipment as a whole."""
    return Key(equipment(equipment_id), join(_NEWEST, part))


def audit(equipment_id: str, part: str, version: int) -> Key:
    """One audit of a part, such as Audit#engine#v000000012."""
    return Key(equipment(equipment_id), join(_AUDIT, part, f"v{number(version)}"))


def history(part: str) -> str:
    """The prefix of the keys of a part's audits; the key of the newest audit's copy does not have it."""
    return prefix(_AUDIT, part)


def parse(pk: str, sk: str) -> tuple[str, str]:
    """Equipment and part of an audit or of the newest one; raises ValueError for another kind of key."""
    _, equipment_id = take(pk, "EQUIPMENT", 2)
    _, part, *_ = take(sk, _NEWEST, 2) if sk.startswith(_NEWEST) else take(sk, _AUDIT, 3)
    return equipment_id, part
