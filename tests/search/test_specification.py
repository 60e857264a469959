"""What OpenSearch is asked is what its own API specification describes, by the types that it generates."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from edgewise import Key
from functions.search import analysis
from functions.search import opensearch_requests as requests
from functions.search.engine import Address
from functions.search.opensearch_requests import Request
from functions.search.query import Search, clauses
from functions.searchable import Contents

HERE = Path(__file__).with_name("specification")
TYPES = "@opensearch-project/opensearch/api"
SEARCH, CREATE, ALIASES, BULK, MAPPED = (
    "_core/search:Search_RequestBody",
    "indices/create:Indices_Create_RequestBody",
    "indices/updateAliases:Indices_UpdateAliases_RequestBody",
    "_types/_core.bulk:OperationContainer",
    "_types/_common.query_dsl:QueryContainer",
)
THING = Address("message", Key("a", "b"))
FULL = Search(
    sub="amy",
    clauses=clauses('fox "a phrase" depart', analysis.words),
    kinds=["message"],
    attributes={"room": "sea"},
    start=1,
    end=2,
    order="time",
    without=[THING.text()],
    offset=5,
    facets=["room"],
)


def lines(request: Request) -> list[Mapping[str, Any]]:
    """The operations of a bulk request, without the documents between them."""
    assert isinstance(request.body, list)
    return [line for line in request.body if line.keys() <= {"index", "delete"}]


def asked() -> dict[str, tuple[str, Any]]:
    """Each request, with the type of its body."""
    changed = requests.written(["edgewise-a"], {THING: Contents(("a",)), Address("x", Key("c", "d")): None}, 5)
    return {
        "search": (SEARCH, requests.search(FULL).body),
        "plain search": (SEARCH, requests.search(Search(sub="amy", clauses=clauses("fox", analysis.words))).body),
        "first page of all": (SEARCH, requests.everything(None).body),
        "page of all": (SEARCH, requests.everything("x").body),
        "created": (CREATE, requests.created("edgewise-a").body),
        "begins": (ALIASES, requests.begins("edgewise-b", ["edgewise-a"]).body),
        "serves": (ALIASES, requests.serves("edgewise-b", ["edgewise-a"]).body),
        **{f"bulk {number}": (BULK, line) for number, line in enumerate(lines(changed))},
    }


def but_for_a_gap(body: Any) -> Any:
    """The same as the specification describes it: it forgets the `field` of the aggregation of terms, its only one."""
    given = json.loads(json.dumps(body))
    for counts in given.get("aggs", {}).values():
        assert counts["terms"].pop("field")
    return given


def misspelt(body: Any, path: str, name: str) -> Any:
    """The same with one member of another name."""
    copy = json.loads(json.dumps(body))
    *way, last = path.split(".")
    inner = copy
    for part in way:
        inner = inner[int(part) if part.isdigit() else part]
    inner[name] = inner.pop(last)
    return copy


def wrong() -> dict[str, tuple[str, Any]]:
    """Requests that OpenSearch would refuse, or understand otherwise."""
    search, created, serves = (requests.search(FULL).body, requests.created("a").body, requests.serves("b", ["a"]).body)
    word = "query.bool.must.0.bool.must.0.dis_max"
    return {
        "size": (SEARCH, misspelt(search, "size", "limit")),
        "aggs": (SEARCH, misspelt(search, "aggs", "facets")),
        "dis_max": (SEARCH, misspelt(search, f"{word}.queries", "query")),
        "fuzzy": (
            SEARCH,
            misspelt(search, "query.bool.must.2.bool.must.0.dis_max.queries.5.fuzzy.text.fuzziness", "distance"),
        ),
        "filter": (SEARCH, misspelt(search, "query.bool.filter", "filters")),
        "must_not": (SEARCH, misspelt(search, "query.bool.must_not", "without")),
        "range": (SEARCH, misspelt(search, "query.bool.filter.3.range.at.gte", "from_")),
        "mappings": (CREATE, misspelt(created, "mappings", "mapping")),
        "properties": (CREATE, misspelt(created, "mappings.properties", "fields")),
        "alias": (ALIASES, misspelt(serves, "actions.0.remove_index", "delete_index")),
        "version": (BULK, {"index": {"_index": "a", "_id": "b", "version_kind": "external"}}),
    }


def check(bodies: Mapping[str, tuple[str, Any]], folder: Path) -> set[str]:
    """The names of the bodies that are not of their types."""
    text = list[str]()
    for number, (of_type, body) in enumerate(bodies.values()):
        module, name = of_type.split(":")
        text.append(f'const v{number}: import("{TYPES}/{module}").{name} = {json.dumps(but_for_a_gap(body))};')
    (folder / "node_modules").symlink_to(HERE / "node_modules")
    (folder / "asked.ts").write_text("\n".join([*text, "export {};", ""]))
    (folder / "package.json").write_text('{"type": "commonjs"}')
    command = [
        os.environ["JSII_NODE"],
        str(HERE / "node_modules/typescript/bin/tsc"),
        "--noEmit",
        "--strict",
        "--skipLibCheck",
    ]
    command += ["--moduleResolution", "node10", "--module", "commonjs", "--target", "es2022", "asked.ts"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if line.startswith("asked.ts(")]
    assert found or done.returncode == 0, done.stdout + done.stderr
    names = list(bodies)
    return {names[int(line.split("(")[1].split(",")[0]) - 1] for line in found}


def test_each_request_is_one_that_the_specification_describes(tmp_path: Path, specification: None) -> None:
    assert check(asked(), tmp_path) == set()


def test_a_request_that_is_spelled_wrongly_is_found(tmp_path: Path, specification: None) -> None:
    assert check(wrong(), tmp_path) == wrong().keys()
