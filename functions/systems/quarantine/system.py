"""Quarantine: the stream's records that could not be understood, and their second chance."""

from functions.derived import in_no_index
from functions.stream import quarantine, registered
from functions.system import Rights, Route, System

GET_RECORDS = Route(
    "GET /quarantine", "The records in quarantine, the oldest first, and why they are there", group="admin"
)
GET_RECORD = Route(
    "GET /quarantine/{shard}/{sequence}", "One record in quarantine, as the stream delivered it", group="admin"
)
REDRIVE = Route(
    "POST /quarantine/{shard}/{sequence}/redrive",
    "Apply a record as if the stream delivered it again, and remove it from quarantine",
    group="admin",
)

SYSTEM = System(
    name="quarantine",
    routes=(GET_RECORDS, GET_RECORD, REDRIVE),
    # A record may feed any aggregate: the rights follow from those of all systems (infra/rights.py).
    rights=Rights(),
    anew={"QUARANTINE": quarantine.listed_anew, "QUARANTINE_REGISTER": in_no_index},
    copies=(registered.COPIES,),
)
