"""The OpenAPI document is valid, says what the routes take and answer, and nothing that is never sent."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from docs.openapi import openapi
from functions.routes import PUBLIC, REQUIRED_GROUP, ROUTES

PROBLEM, MESSAGE = "application/problem+json", "application/json"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    made: dict[str, Any] = json.loads(openapi())
    return made


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


def contents(document: dict[str, Any], operation: dict[str, Any], status: str) -> set[str]:
    """In which forms a failure is answered."""
    name = operation["responses"][status]["$ref"].rpartition("/")[2]
    return set(document["components"]["responses"][name]["content"])


def everything(node: Any) -> Iterator[dict[str, Any]]:
    """Every object in the document."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from everything(inner)


def test_it_is_valid(document: dict[str, Any], check_packages: None) -> None:
    from openapi_spec_validator import OpenAPIV31SpecValidator

    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_every_reference_leads_somewhere_and_every_schema_is_used(document: dict[str, Any]) -> None:
    references = {each["$ref"] for each in everything(document) if "$ref" in each}
    components = document["components"]
    there = {f"#/components/{kind}/{name}" for kind in ("schemas", "responses") for name in components[kind]}
    assert references == there


def test_operations_have_short_names_of_their_own(document: dict[str, Any]) -> None:
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(names) == len(set(names)) == sum(map(len, ROUTES.values()))
    assert all(re.fullmatch("[a-z]+(_[a-z]+)*", name) for name in names)


def test_it_says_where_the_api_is(document: dict[str, Any]) -> None:
    assert [server["url"] for server in document["servers"]] == ["."]


_LIMITED = re.compile(r"at most [\d,]+ (characters|bytes)")
_COUNTED = {"string": "maxLength", "array": "maxItems", "object": "maxProperties"}


def without_a_limit(schema: dict[str, Any], where: str, document: dict[str, Any]) -> Iterator[str]:
    """Each text, list and object of any names of which a schema does not say how long it may be."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for way in schema.get("anyOf", ()):
        yield from without_a_limit(way, where, document)
    for name, inner in schema.get("properties", {}).items():
        yield from without_a_limit(inner, f"{where}.{name}", document)
    kind = schema.get("type")
    named = kind == "object" and "properties" in schema
    said = schema.keys() & {"enum", "const", "format", _COUNTED.get(str(kind))} or _LIMITED.search(
        schema.get("description", "")
    )
    fixed = set(schema.get("pattern", "*")).isdisjoint("*+")
    if kind in _COUNTED and not (said or named or fixed):
        yield where
    if kind == "object" and "maxProperties" in schema:
        yield from without_a_limit({"type": "string"} | schema["propertyNames"], f"{where} (names)", document)
        # Values of names that have a pattern are told by that.
        values = schema.get("patternProperties", {"": schema.get("additionalProperties")})
        for inner in values.values():
            yield from without_a_limit(inner, f"{where}.*", document)
    if kind == "array":
        yield from without_a_limit(schema["items"], f"{where}.*", document)


def test_it_says_how_long_everything_may_be_that_is_sent_in_a_body_or_a_path(document: dict[str, Any]) -> None:
    sent = {
        f"{name}: {parameter['name']}": parameter["schema"]
        for name, operation in operations(document)
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "path"
    }
    sent |= {
        name: operation["requestBody"]["content"][MESSAGE]["schema"]
        for name, operation in operations(document)
        if "requestBody" in operation
    }
    found = [each for name, schema in sent.items() for each in without_a_limit(schema, name, document)]
    assert found == ["POST /aggregates/count.cursor"]  # as an answer gave it
    assert len(sent) > 100


def test_numbers_are_numbers(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert schemas["OrderOut"]["properties"]["amount"]["type"] == "number"
    assert schemas["EventOut"]["properties"]["metrics"]["additionalProperties"] == {"type": "number"}
    assert schemas["RollupOut"]["properties"]["sum"]["type"] == "number"


def test_every_operation_says_how_it_fails(document: dict[str, Any]) -> None:
    for route, operation in operations(document):
        failures = {status for status in operation["responses"] if status >= "400"}
        expected = {"400", "404", "429"} | (set() if route in PUBLIC else {"401", "500", "503"})
        expected |= {"403"} if route in REQUIRED_GROUP else set()
        expected |= {"413", "415"} if "requestBody" in operation else set()
        assert expected <= failures <= expected | {"403", "409", "410", "412"}, route


def test_whoever_says_as_of_lets_readers_wait(document: dict[str, Any]) -> None:
    """But for what shows one aggregate as it is stored, which tells how far it is itself; and a walk over all kinds."""
    schemas, saying, waiting = document["components"]["schemas"], set[str](), set[str]()
    for route, operation in operations(document):
        if route.startswith("GET "):
            answers = [each["schema"] for each in operation["responses"]["200"].get("content", {}).values()]
            models = [schemas[each["$ref"].rpartition("/")[2]] for each in answers if "$ref" in each]
            saying |= {route for model in models if "as_of" in model.get("properties", ())}
            waiting |= {route for each in operation.get("parameters", ()) if each["name"] == "after"}
    assert saying == waiting | {"GET /aggregates", "GET /recent"}
    assert len(waiting) > 20


def test_who_answers_is_seen_in_the_form(document: dict[str, Any]) -> None:
    for route, operation in operations(document):
        for status in set(operation["responses"]) & {"400", "403", "409", "412", "415", "500"}:
            assert contents(document, operation, status) == {PROBLEM}, route
        for status in set(operation["responses"]) & {"413", "429"}:
            assert contents(document, operation, status) == {PROBLEM, MESSAGE}, "both bound what is sent"
        assert MESSAGE in contents(document, operation, "404"), route
        if "401" in operation["responses"]:
            assert contents(document, operation, "401") == {PROBLEM, MESSAGE}, "the gateway knows less of a token"


def test_a_query_parameter_is_never_null(document: dict[str, Any]) -> None:
    for route, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            assert {"type": "null"} not in parameter["schema"].get("anyOf", ()), (route, parameter["name"])


def test_who_is_too_busy_says_when_to_come_again(document: dict[str, Any]) -> None:
    for name in ("Busy", "TooManyRequests"):
        assert "Retry-After" in document["components"]["responses"][name]["headers"]
