"""Access patterns of places."""

from docs.patterns import telemetry
from docs.patterns.pattern import Read, Write
from functions.store import patterns

READS = (
    Read(
        "a place's numbers, children and devices",
        "GET /places",
        {},
        {"path": "US/New York"},
        [patterns.places.place(("US", "New York"))],
        units=0.5,
        given=telemetry.readings,
    ),
)

WRITES: tuple[Write, ...] = ()
