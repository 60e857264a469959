"""How audits are stored: partition EQUIPMENT#id holds the newest audit of each part (v0_Audit#part) and all of them.

The copies sort last, directly after the summary, so one range covers both.
"""

from edgewise import BeginsWith, ItemType, Query
from edgewise.dynamodb.keys import prefix
from functions.systems.audits.entity import Audit

AUDIT = ItemType(Audit, "AUDIT", partition="EQUIPMENT#{equipment}", sort="Audit#{part}#v{version:09}")
NEWEST = ItemType(Audit, "AUDIT_NEWEST", partition="EQUIPMENT#{equipment}", sort="v0_Audit#{part}")


def history(equipment: str, part: str, *, forward: bool = True) -> Query:
    """All audits of a part, oldest first."""
    return Query(AUDIT.partitions(equipment), BeginsWith(prefix("Audit", part)), forward=forward)
