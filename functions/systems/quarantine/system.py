"""Quarantine: the stream's records that could not be understood, and their second chance."""

from edgewise.derived import in_no_index
from edgewise.stream import quarantine, registered
from functions.system import Rights, System

SYSTEM = System(
    name="quarantine",
    # A record may feed any aggregate: the rights follow from those of all systems (infra/rights.py).
    rights=Rights(),
    anew={"QUARANTINE": quarantine.listed_anew, "QUARANTINE_REGISTER": in_no_index},
    copies=(registered.COPIES,),
)
