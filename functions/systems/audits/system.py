"""Audits of equipment: every audit of a part is a revision, and the newest one is stored a second time."""

from edgewise import Feed, Indexed, Kind, Query, Unbounded
from functions import directory
from functions.revisions import newest
from functions.revisions.keys import ONCE
from functions.system import Rights, System
from functions.systems.audits.entity import of_equipment
from functions.systems.audits.items import AUDIT, NEWEST, history

EQUIPMENT = Kind(
    name="EQUIPMENT",
    rank=3,
    cells="audits; audits of each result",
    readable_by_all=True,
    feeds=(Feed(AUDIT.source(), of_equipment),),
    key=AUDIT.summary,
    sources=lambda reader, equipment: reader.read(Query(AUDIT.partitions(equipment))),
    parts=(
        Indexed(directory.of_summaries(AUDIT.partitions)),
        Unbounded(),
    ),
)

SYSTEM = System(
    name="audits",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem"),
        writes=(ONCE,),
    ),
    items=(AUDIT, NEWEST),
    outlets={"audit": AUDIT},
    kinds=(EQUIPMENT,),
    unindexed=("IDEMPOTENCY_KEY",),
    copies=(newest.copies(AUDIT, NEWEST, history),),
    unjudged={"IDEMPOTENCY_KEY": "whether the revision that it names exists: it names its thing only by a digest"},
    directories=(AUDIT.partitions,),
)
