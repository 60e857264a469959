"""Summaries as a fill would compute them, and generations of them in a table."""

from decimal import Decimal

from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.systems.graph import generations, publishing
from functions.systems.graph.entity import NodeId
from functions.systems.graph.summary import Generation, Level, Similar, Summary

AT = "2018-08-29T05:41:00.000Z"
RUN = "20180829T054100Z"
FIRST = Generation(RUN, from_rfc_3339(AT))
LATER_AT = "2018-08-29T06:41:00.000Z"
LATER = Generation("20180829T064100Z", from_rfc_3339(LATER_AT))
AMY = NodeId("person", "amy")
NEAR, FAR = Level(2, False, 7, Decimal("12.50")), Level(1000, True, 4321, Decimal("-0.000000000000000001"))


def person(name: str, pagerank: str = "0.25", *similar: Similar) -> Summary:
    return Summary(NodeId("person", name), Decimal(pagerank), AMY, 4, NEAR, FAR, similar)


def publish(table: Table, of: Generation, *summaries: Summary, part: str = "part-00000.gz") -> int:
    return publishing.publish(table, of, part, lambda start: summaries[start:], lambda: True)


def current(table: Table, of: Generation, *summaries: Summary) -> None:
    """Publish a generation, and let readers see it, also those that have just looked."""
    publish(table, of, *summaries)
    generations.make_current(table, of)
    generations._known.clear()
