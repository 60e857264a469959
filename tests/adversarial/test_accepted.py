"""What is legal is stored and read back as it was sent, however odd or long it is."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from edgewise.stream import incomplete
from edgewise.stream.register import register
from functions.handlers import edge_aggregator
from functions.routes import ROUTES
from tests.adversarial.cases import CASES
from tests.adversarial.cases.case import Case
from tests.adversarial.texts import (
    ACCEPTED_INSTANTS,
    ACCEPTED_MEASURES,
    ACCEPTED_NUMBERS,
    ACCEPTED_SCORES,
    ODD,
    WIDTHS,
    Texts,
    everywhere,
    longest,
)
from tests.support.http import Context
from tests.support.streams import StreamedMemory, window_event

each = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


# They keep nothing of what they are given.
COUNTS, REDRIVES = "POST /aggregates/count", "POST /quarantine/{shard}/{sequence}/redrive"
OPENS, FILLS = "POST /push/tickets", "POST /search/rebuild"
WATCHES, BREAKS = "PUT /proof/watch", "POST /proof/faults"


def test_every_route_that_writes_has_a_case() -> None:
    """A new one needs a case in tests/adversarial/cases."""
    written = {route for routes in ROUTES.values() for route in routes if not route.startswith("GET ")}
    assert CASES.keys() == written - {COUNTS, REDRIVES, OPENS, FILLS, WATCHES, BREAKS}


def assert_comes_back(case: Case, texts: Texts, *, largest: bool = False) -> None:
    case.prepare(texts)
    request = case.request(texts)
    if largest and case.largest:
        request = replace(request, body=case.largest(texts))
    answer = request.send()
    assert 200 <= answer.status < 300, answer.body
    assert not (answer.body or {}).get("rejected"), answer.body
    found, expected = case.seen(texts, request.body)
    assert found == expected


def assert_all_come_back(case: Case, variants: Iterable[Texts]) -> None:
    for texts in variants:
        assert_comes_back(case, texts)


@each
def test_odd_texts_come_back_and_no_two_of_them_are_the_same(case: Case, table: StreamedMemory) -> None:
    assert_all_come_back(case, map(everywhere, ODD))


@each
def test_numbers_at_their_limits_come_back(case: Case, table: StreamedMemory) -> None:
    numbers = (Texts(f"n{n}", number=number) for n, number in enumerate(ACCEPTED_NUMBERS))
    measures = (Texts(f"m{n}", measure=number) for n, number in enumerate(ACCEPTED_MEASURES))
    scores = (Texts(f"s{n}", score=score) for n, score in enumerate(ACCEPTED_SCORES))
    instants = (Texts(f"i{n}", instant=instant) for n, instant in enumerate(ACCEPTED_INSTANTS))
    assert_all_come_back(case, (*numbers, *measures, *scores, *instants))


@each
@pytest.mark.parametrize("character", WIDTHS)
def test_the_longest_come_back_and_the_consumer_takes_them(case: Case, character: str, table: StreamedMemory) -> None:
    assert_comes_back(case, longest(character), largest=True)
    (shard,) = table.shards.values()
    while shard:
        records, shard[:] = list(shard), []
        edge_aggregator.handler(window_event("1", records), Context())
    assert register(table).count == 0
    assert incomplete.page(table, 1, None)[0] == []
