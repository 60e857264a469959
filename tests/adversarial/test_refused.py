"""What is not legal is refused by name, with a problem document, and nothing of it is stored; nothing is ever a 500."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
import simplejson
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from functions.replay.validation import ITEM_BYTES
from tests.adversarial.cases import CASES
from tests.adversarial.cases.case import Case, Request
from tests.adversarial.fields import Path, dotted, faults, names, positions, removed, replaced
from tests.adversarial.texts import WRONG, Texts
from tests.support.http import Answer
from tests.support.streams import StreamedMemory

GOOD = Texts()
WITH_BODY = {route: case for route, case in CASES.items() if case.request(GOOD).body is not None}
with_body = pytest.mark.parametrize("case", WITH_BODY.values(), ids=WITH_BODY)
# API Gateway answers for bodies of more than 6 MB (Lambda's limit) itself.
HUGE = 5_900_000
ANSWER_BYTES = 6_000_000
CHECKPOINT = '"\\u261e"'


def stored(table: StreamedMemory) -> Any:
    """Everything that applications have stored. A room is made by the first request that names it."""
    return {key: item for key, item in table.items.items() if item["Type"]["S"] != "ROOM_METADATA"}


def send(request: Request, text: str | None, table: StreamedMemory, judged: str | None) -> list[str]:
    """The fields that the answer names; none if it is a success. A refusal is a problem that stores nothing.

    What is stored without some of its values names these, too.
    """
    before = deepcopy(stored(table))
    answer = request.send_text(text)
    assert answer.status < 500
    assert len(simplejson.dumps(answer.body, use_decimal=True).encode()) < ANSWER_BYTES
    named = faults(answer, judged)
    if answer.status >= 400:
        assert_problem(answer)
    if answer.status >= 400 or named:
        assert stored(table) == before
    without = answer.body.get("without", ()) if answer.status == 202 and judged else ()
    return named + [f"{judged}.{fault['index']}.{fault['field']}" for fault in without]


def assert_problem(answer: Answer) -> None:
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.body["status"] == answer.status
    assert answer.body["detail"]


def text_of(body: Any) -> str:
    return simplejson.dumps(body, use_decimal=True)


def body_of(request: Request) -> str | None:
    return None if request.body is None else text_of(request.body)


def with_checkpoints(case: Case) -> Iterator[tuple[str, str]]:
    """Every position of a body, and the body's text with a checkpoint there."""
    body = case.request(GOOD).body
    return ((dotted(at), text_of(replaced(body, at, "☞"))) for at, _ in positions(body))


def sent(case: Case, body: Any, table: StreamedMemory) -> list[str]:
    return send(case.request(GOOD), text_of(body), table, case.judged)


CHECKPOINTS: dict[str, Any] = {"place": ("☞",), "number": Decimal(4711), "measure": Decimal(4712), "score": 4711}


def where(kind: str, request: Callable[[Texts], Any]) -> set[str]:
    """The positions that hold a value of a kind; where it names members, the object that holds them."""
    checkpoint = CHECKPOINTS.get(kind, "☞")
    wanted, found = (
        list(checkpoint) if kind == "place" else checkpoint,
        list(positions(request(replace(GOOD, **{kind: checkpoint})))),
    )
    return {dotted(at) for at, value in found if value == wanted or (isinstance(value, dict) and wanted in [*value])}


def _part(part: Callable[[Request], Any], case: Case, texts: Texts) -> Any:
    return part(case.request(texts))


def kinds(part: Callable[[Request], Any]) -> Iterator[Any]:
    """Each route with each kind of value that this part of its requests holds, and where."""
    for route, case in CASES.items():
        for kind in WRONG:
            if fields := where(kind, partial(_part, part, case)):
                yield pytest.param(case, kind, fields, id=f"{route}-{kind}")


@pytest.mark.parametrize(("case", "kind", "fields"), [*kinds(lambda request: request.body or {})])
def test_a_value_that_is_not_legal_is_named_wherever_it_stands(
    case: Case, kind: str, fields: set[str], table: StreamedMemory
) -> None:
    case.prepare(GOOD)
    for wrong in WRONG[kind]:
        named = sent(case, case.request(replace(GOOD, **{kind: wrong})).body, table)
        assert named, wrong
        assert all(any(names(fault, field) for field in fields) for fault in named), (wrong, named)
        assert case.judged or all(any(names(fault, field) for fault in named) for field in fields), (wrong, named)


@pytest.mark.parametrize(("case", "kind", "fields"), [*kinds(lambda request: dict(request.ids))])
def test_so_is_an_id_in_the_path(case: Case, kind: str, fields: set[str], table: StreamedMemory) -> None:
    """It is never empty, and halves of surrogate pairs can't be sent there."""
    good = case.request(GOOD)
    for wrong in (text for text in WRONG[kind] if text and text.isascii()):
        named = send(replace(good, ids=case.request(replace(GOOD, **{kind: wrong})).ids), body_of(good), table, None)
        assert set(named) == fields, wrong


OTHER_TYPES: tuple[Any, ...] = (None, True, 0, -1, 1.5, 10**4000, "", "x", [], {}, ["x"], [{}], {"x": 1}, {"": {}})


@with_body
def test_a_value_of_another_type_is_named_or_taken(case: Case, table: StreamedMemory) -> None:
    case.prepare(GOOD)
    body, before = case.request(GOOD).body, dict(table.items)
    for at, _ in positions(body):
        for other in OTHER_TYPES:
            table.items = dict(before)  # else other content under a name that is taken would be the fault
            named = sent(case, replaced(body, at, other), table)
            assert all(names(fault, dotted(at)) for fault in named), (at, other, named)


@with_body
def test_what_is_left_out_is_named_or_not_needed(case: Case, table: StreamedMemory) -> None:
    case.prepare(GOOD)
    body = case.request(GOOD).body
    for at, _ in positions(body):
        named = sent(case, removed(body, at), table)
        assert all(names(fault, dotted(at)) for fault in named), (at, named)


UNKNOWN = ("", "x", "__class__", "model_config", "id", "Id ", "\ud800", "x" * HUGE)


# Named by a few letters: each process sends the names of all its tests to the one that hands them out.
@with_body
@pytest.mark.parametrize("name", UNKNOWN, ids=lambda name: ascii(name)[1:20])
def test_a_field_that_nobody_knows_is_refused(case: Case, name: str, table: StreamedMemory) -> None:
    case.prepare(GOOD)
    assert sent(case, case.request(GOOD).body | {name: 1}, table)


def much(size: int) -> list[str]:
    """Texts and lists of so many bytes, and an object of as many members as one may have."""
    return [
        f'"{"x" * size}"',
        f'"{chr(0x1F600) * (size // 4)}"',
        f"[{'{},' * (size // 3)}1]",
        text_of({f"{number:03d}": "x" for number in range(256)}),
    ]


@with_body
def test_what_is_too_large_for_an_item_is_refused_by_name(case: Case, table: StreamedMemory) -> None:
    """Whatever is let through fits into 400 KB, and what does not is never cut or stored in parts."""
    case.prepare(GOOD)
    for at, text in with_checkpoints(case):
        for large in much(ITEM_BYTES):
            if case.anything == at.partition(".")[0] and len(large.encode()) < ITEM_BYTES:
                continue  # many members, but few bytes
            named = send(case.request(GOOD), text.replace(CHECKPOINT, large), table, case.judged)
            assert named, at
            assert all(names(fault, at) for fault in named), (at, named)


@with_body
def test_what_is_as_large_as_a_request_can_be_is_refused_in_time(case: Case, table: StreamedMemory) -> None:
    """Validating each of half a million members would take longer than a request may."""
    case.prepare(GOOD)
    at, text = next(with_checkpoints(case))
    members = ",".join(f'"{number}":0' for number in range(HUGE // 12))
    for huge in (f'"{"x" * HUGE}"', f"{{{members}}}"):
        named = send(case.request(GOOD), text.replace(CHECKPOINT, huge), table, case.judged)
        assert named, at
        assert all(names(fault, at) for fault in named), (at, named)
    assert named == ["body"]


# DynamoDB takes 32 levels, Python's parser nearly 1,000.
NESTED = (*range(14, 34), 900, *range(940, 1000, 6), 100_000)


@with_body
def test_whatever_is_nested_deep_is_refused_by_name(case: Case, table: StreamedMemory) -> None:
    case.prepare(GOOD)
    for at, text in with_checkpoints(case):
        for depth in NESTED:
            for opening, closing in (("[", "]"), ('{"a":', "}")):
                nested = text.replace(CHECKPOINT, opening * depth + "1" + closing * depth)
                named = send(case.request(GOOD), nested, table, case.judged)
                assert all(names(fault, at) for fault in named), (at, depth, named)


def spellings(body: str) -> dict[str, str]:
    """Bodies that are no JSON, or JSON of an unusual kind."""
    return {
        "white": " \n\t",
        "half": body[: len(body) // 2],
        "twice": body + body,
        "a byte order checkpoint": "\ufeff" + body,
        "a comment": body + "//",
        "zero": body + "\x00",
        "a control character": body.replace('": ', '": "\x01'),
        "half a pair": '"\\ud800"',
        "a bad escape": '{"a":"\\x41"}',
        "not a number": "NaN",
        "an infinity": '{"a":-Infinity}',
        "a list": f"[{body}]",
        "a text": text_of(body),
        "much white": " " * (HUGE - len(body)),
        "a number without an end": "1" * HUGE,
        "a fraction without an end": '{"a":0.' + "1" * HUGE + "}",
    }


@with_body
def test_a_body_that_is_no_request_is_refused(case: Case, table: StreamedMemory) -> None:
    case.prepare(GOOD)
    request = case.request(GOOD)
    for spelling, text in spellings(text_of(request.body)).items():
        assert send(request, text, table, case.judged), spelling


@with_body
def test_white_space_without_end_around_a_body_is_none_of_it(case: Case, table: StreamedMemory) -> None:
    case.prepare(GOOD)
    text = text_of(case.request(GOOD).body)
    assert not send(case.request(GOOD), " " * (HUGE - len(text)) + text, table, case.judged)


texts = st.text(st.characters(codec=None), max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
some = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], phases=[Phase.generate])


@with_body
@given(data=st.data())
@some
def test_anything_anywhere_is_named_or_taken(case: Case, data: st.DataObject, table: StreamedMemory) -> None:
    table.items.clear()
    case.prepare(GOOD)
    body = case.request(GOOD).body
    paths: list[Path] = [at for at, _ in positions(body)]
    at = data.draw(st.sampled_from(paths))
    named = sent(case, replaced(body, at, data.draw(json_values)), table)
    assert all(names(fault, dotted(at)) for fault in named)
