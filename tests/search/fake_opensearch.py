"""OpenSearch in memory, as far as this project asks it: by its documentation, not by the code that asks.

It answers with an error whatever it does not know, so a request that is spelled wrongly fails.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import Any

from functions.search import analysis
from functions.search.opensearch_requests import Request, text

Answer = tuple[int, bytes]


class UnknownError(Exception):
    """OpenSearch would answer 400."""


@dataclass
class Index:
    """Documents by id; `versions` are those of the deleted ones, too."""

    body: Mapping[str, Any]
    documents: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    def words(self, document: Mapping[str, Any], name: str) -> list[str]:
        """The terms of a document in a field, as the mapping says that they are made."""
        properties = self.body["mappings"]["properties"]
        root = name.partition(".")[0]
        if properties[root]["type"] != "text":
            found: Any = document
            for part in name.split(".", 1):
                found = found.get(part, ()) if isinstance(found, Mapping) else ()
            return [str(found)] if isinstance(found, str | int) else list(found)
        texts = [document.get(each, "") for each in properties if each == name or name in _copied(properties[each])]
        return [word for each in texts for word in self._analyzed(each, properties[name]["analyzer"])]

    def _analyzed(self, of: str, analyzer: str) -> list[str]:
        if analyzer == "whitespace":
            return of.split()
        made = self.body["settings"]["index"]["analysis"]["analyzer"][analyzer]
        stemmers = [each for each in made["filter"] if each.endswith("_stems")]
        words = [of] if made["tokenizer"] == "keyword" else list(analysis.words(of))
        for each in stemmers:
            words = [analysis.stem(word, each.removesuffix("_stems")) for word in words]
        return words

    def asked(self, of: str, name: str) -> list[str]:
        field_ = self.body["mappings"]["properties"][name]
        return self._analyzed(of, field_.get("search_analyzer", field_["analyzer"]))


def _copied(field_: Mapping[str, Any]) -> list[str]:
    return list(field_.get("copy_to", ()))


class FakeOpenSearch:
    """Remembers every request that it was sent. `refuses`: which documents it says are invalid."""

    refuses = staticmethod(lambda document: False)

    def __init__(self) -> None:
        self.indices: dict[str, Index] = {}
        self.aliases: dict[str, str] = {}
        self.sent: list[Request] = []
        self.down = False

    def send(self, request: Request) -> Answer:
        self.sent.append(request)
        if self.down:
            return 503, b"{}"
        body = text(request)
        lines = [json.loads(line) for line in (body or b"").splitlines()]
        try:
            return self._answer(request, lines)
        except UnknownError as error:
            return 400, str(error).encode()

    def _answer(self, request: Request, lines: list[Any]) -> Answer:
        match request.method, request.path:
            case "GET", "/_alias/edgewise*":
                names = [(index, alias) for alias, index in self.aliases.items() if fnmatch(alias, "edgewise*")]
                return _told({index: {"aliases": {alias: {}}} for index, alias in names}) if names else (404, b"{}")
            case "PUT", path if re.fullmatch("/[a-z0-9-]+", path):
                if path[1:] in self.indices:
                    return 400, b'{"error": {"type": "resource_already_exists_exception"}}'
                self.indices[path[1:]] = Index(lines[0])
                return _told({"acknowledged": True})
            case "POST", "/_aliases":
                return self._alias(lines[0]["actions"])
            case "POST", "/_bulk":
                return _told({"errors": False, "items": list(self._bulk(lines))})
            case "POST", "/edgewise/_refresh":
                return _told({"_shards": {"failed": 0}})
            case "POST", "/edgewise/_search":
                return _told(self._search(self.indices[self.aliases["edgewise"]], lines[0]))
        raise UnknownError(f"{request.method} {request.path}")

    def _alias(self, actions: list[Any]) -> Answer:
        for action in actions:
            ((what, of),) = action.items()
            if what == "remove_index":
                del self.indices[of["index"]]
                self.aliases = {alias: index for alias, index in self.aliases.items() if index != of["index"]}
            elif what == "add":
                self.aliases[of["alias"]] = of["index"]
            elif what == "remove" and of.get("must_exist") is False:
                self.aliases.pop(of["alias"], None)
            else:
                raise UnknownError(what)
        return _told({"acknowledged": True})

    def _bulk(self, lines: list[Any]) -> Iterable[Any]:
        left = iter(lines)
        for line in left:
            ((what, about),) = line.items()
            document = next(left) if what == "index" else None
            yield {what: {"_id": about["_id"], "status": self._written(about, document)}}

    def _written(self, about: Mapping[str, Any], document: Any) -> int:
        index, of = self.indices[about["_index"]], about["_id"]
        if about["version_type"] != "external_gte":
            raise UnknownError(about["version_type"])
        if about["version"] < index.versions.get(of, 0):
            return 409
        index.versions[of] = about["version"]
        if document is None:
            return 200 if index.documents.pop(of, None) else 404
        unknown = document.keys() - index.body["mappings"]["properties"].keys()
        if unknown or self.refuses(document):
            return 400
        index.documents[of] = document
        return 201

    def _search(self, index: Index, body: Mapping[str, Any]) -> Any:
        asked = body.get("query", {"match_all": {}})
        scored = {of: _score(index, document, asked) for of, document in index.documents.items()}
        hits = [(of, score) for of, score in scored.items() if score is not None]
        hits.sort(key=lambda hit: -hit[1])
        for sort in body.get("sort", ()):
            ((name, how),) = sort.items()
            missing = 0 if how.get("missing") == "_last" else ""
            hits.sort(key=lambda hit: index.documents[hit[0]].get(name, missing), reverse=how["order"] == "desc")
            if after := body.get("search_after"):
                hits = [hit for hit in hits if index.documents[hit[0]][name] > after[0]]
        found = hits[body.get("from", 0) :][: body["size"]]
        shown = {name: each for name, each in index.documents.items()}
        return {
            "hits": {"hits": [{"_source": {name: shown[of][name] for name in body["_source"]}} for of, _ in found]},
            "aggregations": {
                name: {"buckets": _buckets(index, [of for of, _ in hits], how["terms"])}
                for name, how in body.get("aggs", {}).items()
            },
        }


def _buckets(index: Index, hits: Iterable[str], terms: Mapping[str, Any]) -> list[Any]:
    counted = Counter(word for of in hits for word in index.words(index.documents[of], terms["field"]))
    return [{"key": key, "doc_count": count} for key, count in counted.most_common(terms["size"])]


def _score(index: Index, document: Mapping[str, Any], query: Mapping[str, Any]) -> float | None:
    """How well a document matches a query; None: it does not."""
    ((kind, of),) = query.items()
    if kind == "match_all":
        return 1.0
    if kind == "bool":
        must = [_score(index, document, each) for each in (*of.get("must", ()), *of.get("filter", ()))]
        must_not = [_score(index, document, each) for each in of.get("must_not", ())]
        if any(each is None for each in must) or any(each is not None for each in must_not):
            return None
        should = [_score(index, document, each) or 0.0 for each in of.get("should", ())]
        return sum(each or 0.0 for each in must[: len(of.get("must", ()))]) + sum(should)
    if kind == "dis_max":
        return max((each for each in (_score(index, document, one) for one in of["queries"]) if each), default=None)
    if kind == "constant_score":
        return of["boost"] if _score(index, document, of["filter"]) is not None else None
    ((name, how),) = of.items()
    words = index.words(document, name)
    if kind == "terms":
        return 0.0 if set(words) & set(how) else None
    if kind == "range":
        instants = map(int, words)
        return 0.0 if any(how.get("gte", at) <= at < how.get("lt", at + 1) for at in instants) else None
    # The fewer words there are, the more one counts.
    boost = how.get("boost", 1.0) * (1 + 1 / (1 + len(words)))
    return boost if _matches(index, name, words, kind, how) else None


def _matches(index: Index, name: str, words: list[str], kind: str, how: Mapping[str, Any]) -> bool:
    match kind:
        case "term":
            return how["value"] in words
        case "match":
            return set(index.asked(how["query"], name)) <= set(words)
        case "prefix":
            return any(word.startswith(how["value"]) for word in words)
        case "fuzzy":
            assert how["fuzziness"] == 1
            assert how["transpositions"] is True
            return any(analysis.forgives(how["value"], word) for word in words)
        case "match_phrase":
            phrase = index.asked(how["query"], name)
            return any(words[at : at + len(phrase)] == phrase for at in range(len(words)))
    raise UnknownError(kind)


def _told(answer: Any) -> Answer:
    return 200, json.dumps(answer).encode()
