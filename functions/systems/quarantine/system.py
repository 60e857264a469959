"""Quarantine: the stream's records that could not be understood, and their second chance."""

from edgewise.stream import quarantine, registered
from functions.system import Rights, System

SYSTEM = System(
    name="quarantine",
    # A record may feed any aggregate: the rights follow from those of all systems (infra/rights.py).
    rights=Rights(),
    unindexed=("QUARANTINE_REGISTER",),
    anew={"QUARANTINE": quarantine.listed_anew},
    copies=(registered.COPIES,),
)
