"""The graph of flights: what the file's rows come to, and what its recount expects, by hand."""

from demo import recount_flights
from demo.flights import Airport, flights, of_rows
from ops.recounting.facts import Name
from ops.recounting.samples import SAMPLES

ROWS = [
    {"origin": "JFK", "dest": "BOS", "carrier": "B6", "dep_time": "NA"},
    {"origin": "JFK", "dest": "BOS", "carrier": "B6", "dep_time": "NA"},
    {"origin": "JFK", "dest": "SFO", "carrier": "B6", "dep_time": "900"},
    {"origin": "JFK", "dest": "SFO", "carrier": "UA", "dep_time": "901"},
    {"origin": "JFK", "dest": "LAX", "carrier": "UA", "dep_time": "902"},
]
JFK, BOS, SFO = ("airport", "JFK"), ("route", "JFK-BOS"), ("route", "JFK-SFO")


def test_airports_are_as_many_of_their_flights_went() -> None:
    assert of_rows(ROWS).airports == {
        "JFK": Airport("disrupted", 2),
        "BOS": Airport("closed", 2),
        "SFO": Airport("open", 0),
        "LAX": Airport("open", 0),
    }


def test_a_route_has_two_airports_and_each_of_its_carriers_once() -> None:
    edges = of_rows(ROWS).edges
    assert [edge.target for edge in edges if edge.source == BOS] == [("carrier", "B6")]
    assert {edge.source for edge in edges if edge.target == SFO} == {JFK, ("airport", "SFO")}


def test_the_recount_derives_level_by_level() -> None:
    facts = recount_flights.recount(of_rows(ROWS))
    assert facts[Name("STATE", (BOS,))] == {"nodes": 1, "airports_closed": 1, "cancelled": 4, "state": "closed"}
    assert facts[Name("STATE", (SFO,))] == {"nodes": 1, "airports_closed": 0, "cancelled": 2, "state": "disrupted"}
    b6, ua = ("carrier", "B6"), ("carrier", "UA")
    assert facts[Name("ADJACENT", (b6, "in", "FLOWN_BY"))] == {
        "neighbours": 2,
        "states": {"closed": 1, "disrupted": 1},
        "sums": {"airports_closed": 1, "cancelled": 6},
    }
    assert facts[Name("STATE", (b6,))] == {"nodes": 1, "airports_closed": 1, "state": "closed"}
    assert facts[Name("STATE", (ua,))] == {"nodes": 1, "airports_closed": 0, "state": "disrupted"}
    assert facts[Name("DEGREE", (JFK, "out", "SERVES"))] == {"edges": 3, "weight": 3}


def test_the_day_of_the_storm_is_as_in_the_file() -> None:
    day = flights(SAMPLES["all"])
    assert (len(day.airports), len(day.edges), len(day.nodes)) == (89, 2 * 171 + 275, 89 + 171 + 15)
    assert {code: day.airports[code].cancelled for code in ("EWR", "JFK", "LGA")} == {
        "EWR": 177,
        "JFK": 159,
        "LGA": 136,
    }
    part = flights(SAMPLES["few"])
    assert set(part.edges) < set(day.edges)
