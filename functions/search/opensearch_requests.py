"""What OpenSearch is asked, as values: the index, searches, changes, and which index answers."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from edgewise import Millis
from functions.search import analysis
from functions.search.engine import (
    EVERYBODY,
    IN_TITLE,
    ITSELF,
    LONGER,
    MOST_KINDS,
    MOST_VALUES,
    STEM,
    WRONG,
    Address,
    Changes,
    digest,
)
from functions.search.query import Clause, Phrase, Search, Word
from functions.searchable import Contents

# The index that answers, and the one that is being filled, whatever their own names.
SERVING, BUILDING = "edgewise", "edgewise-building"
# OpenSearch forgets deletions after a minute, unless told. A write of what was read before may be later than that.
REMEMBERED = "36h"


class Request(NamedTuple):
    """A request: its method, its path, and its body, a JSON object or lines of them."""

    method: str
    path: str
    body: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None


def created(index: str) -> Request:
    """Make an index. Attributes of any name are taken; of anything else that is unknown, none."""
    keyword = {"type": "keyword"}
    # What is asked for are words already (analysis.py): taken apart again, some would be several others.
    stemmed = {
        language: {"type": "text", "analyzer": language, "search_analyzer": f"{language}_word"}
        for language in analysis.LANGUAGES
    }
    plain = {"type": "text", "analyzer": "plain", "search_analyzer": "whitespace"}
    mappings = {
        "dynamic": "strict",
        # Text that looks like a date stays text.
        "date_detection": False,
        # The table has the rest.
        "_source": {"includes": ["address", "digest"]},
        "dynamic_templates": [{"attributes": {"path_match": "attributes.*", "mapping": keyword}}],
        "properties": {
            **dict.fromkeys(("address", "digest", "kind", "readers"), keyword),
            "at": {"type": "long"},
            "title": plain | {"copy_to": ["text", *analysis.LANGUAGES]},
            "text": plain | {"copy_to": list(analysis.LANGUAGES)},
            **stemmed,
            "attributes": {"type": "object", "dynamic": True},
        },
    }
    # A domain of one node has nowhere to put a copy.
    of_index = {"number_of_shards": 1, "auto_expand_replicas": "0-1", "gc_deletes": REMEMBERED, "analysis": _analysis()}
    return Request("PUT", f"/{index}", {"settings": {"index": of_index}, "mappings": mappings})


def _analysis() -> Mapping[str, Any]:
    """The same words as in the embedded engine (analysis.py)."""
    folding = ["length", "lowercase", "asciifolding"]
    stemmers = {f"{language}_stems": {"type": "stemmer", "language": language} for language in analysis.LANGUAGES}
    of_text = {"plain": folding} | {language: [*folding, f"{language}_stems"] for language in analysis.LANGUAGES}
    of_word = {f"{language}_word": [f"{language}_stems"] for language in analysis.LANGUAGES}
    return {
        "tokenizer": {"words": {"type": "pattern", "pattern": r"[^\p{IsAlphabetic}\p{N}]+"}},
        "filter": {"length": {"type": "length", "min": 1, "max": analysis.LONGEST - 1}} | stemmers,
        "analyzer": {
            name: {"type": "custom", "tokenizer": tokenizer, "filter": filters}
            for tokenizer, analyzers in (("words", of_text), ("keyword", of_word))
            for name, filters in analyzers.items()
        },
    }


def search(wanted: Search) -> Request:
    """Find things that the user may read."""
    counts = {"kind": _terms("kind", MOST_KINDS)}
    counts |= {f".{name}": _terms(f"attributes.{name}", MOST_VALUES) for name in wanted.facets}
    by_time = [{"at": {"order": "desc", "missing": "_last"}}]
    without = {"terms": {"address": list(wanted.without)}}
    asked = {"must": list(map(_clause, wanted.clauses)), "filter": list(_filters(wanted)), "must_not": [without]}
    body = {
        "query": {"bool": asked},
        "aggs": counts,
        "from": wanted.offset,
        "size": wanted.limit,
        "_source": ["address"],
    }
    return Request("POST", f"/{SERVING}/_search", body | ({"sort": by_time} if wanted.order == "time" else {}))


def _terms(field: str, most: int) -> Mapping[str, Any]:
    return {"terms": {"field": field, "size": most}}


def _filters(wanted: Search) -> Iterator[Mapping[str, Any]]:
    yield {"terms": {"readers": [EVERYBODY, wanted.sub]}}
    if wanted.kinds:
        yield {"terms": {"kind": list(wanted.kinds)}}
    for name, value in wanted.attributes.items():
        yield {"term": {f"attributes.{name}": {"value": value}}}
    bounds = {name: at for name, at in (("gte", wanted.start), ("lt", wanted.end)) if at is not None}
    if bounds:
        yield {"range": {"at": bounds}}


def _clause(clause: Clause) -> Mapping[str, Any]:
    ways = [_itself(clause, "text", ITSELF), *(_others(clause) if isinstance(clause, Word) else ())]
    in_title = {"constant_score": {"filter": _itself(clause, "title", 1.0), "boost": IN_TITLE}}
    return {"bool": {"must": [{"dis_max": {"queries": ways}}], "should": [in_title]}}


def _itself(clause: Clause, field: str, boost: float) -> Mapping[str, Any]:
    if isinstance(clause, Phrase):
        return {"match_phrase": {field: {"query": " ".join(clause.words), "boost": boost}}}
    return {"term": {field: {"value": clause.text, "boost": boost}}}


def _others(word: Word) -> Iterator[Mapping[str, Any]]:
    for language in analysis.LANGUAGES:
        yield {"match": {language: {"query": word.text, "boost": STEM}}}
    if word.prefix:
        yield {"prefix": {"text": {"value": word.text, "boost": LONGER}}}
    for name in ("text", *analysis.LANGUAGES):
        text = word.text if name == "text" else analysis.stem(word.text, name)
        if len(text) >= analysis.FORGIVING:
            yield {"fuzzy": {name: {"value": text, "fuzziness": 1, "transpositions": True, "boost": WRONG}}}


def written(indices: Sequence[str], changes: Changes, at: Millis) -> Request:
    """Write what was read at an instant to these indexes, unless they know something later."""
    lines = [line for address, contents in changes.items() for line in _lines(indices, address, contents, at)]
    return Request("POST", "/_bulk", lines)


def bytes_of(indices: Sequence[str], address: Address, contents: Contents | None, at: Millis) -> int:
    """How many bytes of a request a thing takes that is written to these indexes."""
    return len(text(written(indices, {address: contents}, at)) or b"")


def _lines(
    indices: Sequence[str], address: Address, contents: Contents | None, at: Millis
) -> Iterator[Mapping[str, Any]]:
    for index in indices:
        about = {"_index": index, "_id": _id(address), "version": at, "version_type": "external_gte"}
        if contents:
            yield {"index": about}
            yield _document(address, contents)
        else:
            yield {"delete": about}


def _id(address: Address) -> str:
    """An id takes 512 bytes at most."""
    return hashlib.sha256(address.text().encode()).hexdigest()


def _document(address: Address, contents: Contents) -> Mapping[str, Any]:
    found: dict[str, Any] = {
        "address": address.text(),
        "digest": digest(contents),
        "kind": address.kind,
        "readers": [EVERYBODY] if contents.readers is None else sorted(contents.readers),
        "attributes": dict(contents.attributes),
        "title": contents.title,
        "text": contents.text,
    }
    return found if contents.at is None else found | {"at": contents.at}


ALIASES = Request("GET", f"/_alias/{SERVING}*")


# Let searches that begin from now on see what was written; else they see it within a second.
SHOWN = Request("POST", f"/{SERVING}/_refresh")


def begins(index: str, instead_of: Sequence[str]) -> Request:
    """Let an index be the one that is filled; those before it, not finished, are deleted."""
    return Request("POST", "/_aliases", {"actions": [*map(_removed, instead_of), _named(index, BUILDING)]})


def given_up(index: str) -> Request:
    """Delete an index that is not finished."""
    return Request("POST", "/_aliases", {"actions": [_removed(index)]})


def serves(index: str, instead_of: Sequence[str]) -> Request:
    """Let an index answer, all at once; those before it are deleted."""
    ends = {"remove": {"index": index, "alias": BUILDING, "must_exist": False}}
    return Request("POST", "/_aliases", {"actions": [*map(_removed, instead_of), _named(index, SERVING), ends]})


def _named(index: str, alias: str) -> Mapping[str, Any]:
    return {"add": {"index": index, "alias": alias}}


def _removed(index: str) -> Mapping[str, Any]:
    return {"remove_index": {"index": index}}


def everything(after: str | None) -> Request:
    """A page of all that is in the index, by address."""
    body = {"size": 1_000, "sort": [{"address": {"order": "asc"}}], "_source": ["address", "digest"]}
    return Request("POST", f"/{SERVING}/_search", body | ({"search_after": [after]} if after else {}))


def text(request: Request) -> bytes | None:
    """The body as it is sent."""
    if request.body is None:
        return None
    lines = [request.body] if isinstance(request.body, Mapping) else request.body
    ends = "" if isinstance(request.body, Mapping) else "\n"
    return ("\n".join(json.dumps(line, separators=(",", ":")) for line in lines) + ends).encode()
