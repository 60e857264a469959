"""Audits of equipment: every audit of a part is a revision, and the newest one is stored a second time."""

from functions import directory
from functions.aggregates.keys import SUMMARY, summarized
from functions.aggregates.kinds import Feed, Kind, Source
from functions.derived import in_no_index
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import Query
from functions.revisions import newest
from functions.revisions.keys import ONCE
from functions.system import Rights, System
from functions.systems.audits import codec, keys, patterns
from functions.systems.audits.entity import of_equipment

EQUIPMENT = Kind(
    name="EQUIPMENT",
    rank=3,
    cells="audits; audits of each result",
    readable_by_all=True,
    feeds=(Feed(Source("AUDIT", codec.audit), of_equipment),),
    partitions=keys.EQUIPMENT,
    key=lambda equipment: Key(keys.equipment(equipment), SUMMARY),
    parse=summarized,
    sources=lambda reader, equipment: reader.read(Query(keys.equipment(equipment))),
    extremes=None,
    index=directory.of_summaries(keys.EQUIPMENT),
    unbounded=True,
)

SYSTEM = System(
    name="audits",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem", "PutItem"),
        writes=(keys.EQUIPMENT, ONCE),
    ),
    kinds=(EQUIPMENT,),
    anew={"AUDIT": in_no_index, "AUDIT_NEWEST": in_no_index, "IDEMPOTENCY_KEY": in_no_index},
    copies=(
        newest.copies(
            revision="AUDIT",
            newest="AUDIT_NEWEST",
            decode=codec.audit,
            encode=codec.newest_item,
            key=lambda audit: keys.newest(audit.equipment, audit.part),
            history=lambda key: patterns.history(*keys.parse(*key)),
        ),
    ),
    unjudged={"IDEMPOTENCY_KEY": "whether the revision that it names exists: it names its thing only by a digest"},
    directories=(keys.EQUIPMENT,),
)
