"""OpenSearch as the search engine, for more than the embedded one can hold."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from edgewise import Millis
from edgewise.errors import PassingError
from functions.portions import portions
from functions.search import opensearch_requests as requests
from functions.search.engine import FORM, Address, Changes, Found
from functions.search.opensearch_requests import BUILDING, SERVING, Request
from functions.search.query import Search
from functions.search.set_aside import UnindexableError, write_what_can_be

# Sends a request; returns the status and the body of the answer.
Send = Callable[[Request], tuple[int, bytes]]
_OK, _INVALID, _NOT_FOUND, _TOO_LARGE = 200, 400, 404, 413
# What becomes of a change that is older than what the index knows, and of a deletion of what it does not.
_KNOWN = frozenset({409, _NOT_FOUND})
_EXISTS = "resource_already_exists_exception"
# OpenSearch refuses requests of more than 10 MB on small nodes.
_MOST_BYTES = 5_000_000
# What the names of this form's indexes begin with.
_CURRENT = f"{SERVING}-{FORM}-"


class RefusedByEngineError(PassingError):
    """OpenSearch did not do what it was asked: it is busy, down, or set up otherwise than this release expects."""

    def __init__(self, request: Request, status: int, told: bytes) -> None:
        super().__init__(f"{request.method} {request.path}: {_told(status, told)}")


class OpenSearch:
    """An index and the one that replaces it, each by an alias."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._aliases: Mapping[str, str] = {}

    def building(self) -> str | None:
        """The generation that is being filled, read anew."""
        self._aliases = self._read_aliases()
        if SERVING not in self._aliases:
            self._create(first := f"{_CURRENT}first")
            self._done(requests.serves(first, ()))
            self._aliases = {SERVING: first}
        if not self._aliases.get(BUILDING, _CURRENT).startswith(_CURRENT):
            # Another release was filling it, and it lacks what has changed since.
            self._done(requests.given_up(self._aliases.pop(BUILDING)))
        return self._aliases[BUILDING].removeprefix(_CURRENT) if BUILDING in self._aliases else None

    def outdated(self) -> str | None:
        """The generation that answers, if it is of another form, as last read."""
        serving = self._aliases[SERVING]
        return None if serving.startswith(_CURRENT) else serving

    def apply(self, changes: Changes, begins: str | None, ends: str | None, at: Millis) -> set[Address]:
        """Begin a generation, write changes to all of this form, let the one that is full answer; returns the refused.

        `at`: not later than the changes were read. What was read before others wrote does not replace what they wrote.
        """
        known = dict(self._aliases)
        if begins and (index := f"{_CURRENT}{begins}") not in known.values():
            self._create(index)
            self._done(requests.begins(index, [known[BUILDING]] if BUILDING in known else ()))
            known[BUILDING] = index
        current = sorted(index for index in known.values() if index.startswith(_CURRENT))
        write = partial(self._write, current, at)
        of_things = portions(changes.items(), lambda each: requests.bytes_of(current, *each, at), _MOST_BYTES)
        refused = {address for some in of_things if current for address in write_what_can_be(write, dict(some))}
        if ends and known.get(BUILDING) == f"{_CURRENT}{ends}":
            self._done(requests.serves(known[BUILDING], [known[SERVING]]))
        return refused

    def show(self) -> None:
        """Let searches that begin from now on see what was written."""
        self._done(requests.SHOWN)

    def search(self, wanted: Search) -> Found:
        """Find things that the user may read."""
        answer = self._done(requests.search(wanted))
        counted = {
            name: {each["key"]: each["doc_count"] for each in found["buckets"]}
            for name, found in answer["aggregations"].items()
        }
        kinds = counted.pop("kind")
        addresses = [Address.of(each["_source"]["address"]) for each in answer["hits"]["hits"]]
        return Found(addresses, sum(kinds.values()), kinds, {name[1:]: counts for name, counts in counted.items()})

    def everything(self) -> Iterator[tuple[Address, str]]:
        """All things in the index, each with the digest of its contents."""
        after = None
        while found := self._done(requests.everything(after))["hits"]["hits"]:
            for each in (one["_source"] for one in found):
                yield Address.of(each["address"]), each["digest"]
            after = found[-1]["_source"]["address"]

    def _read_aliases(self) -> dict[str, str]:
        status, told = self._send(requests.ALIASES)
        if status == _NOT_FOUND:
            return {}
        if status != _OK:
            raise RefusedByEngineError(requests.ALIASES, status, told)
        return {alias: index for index, about in json.loads(told).items() for alias in about["aliases"]}

    def _create(self, index: str) -> None:
        request = requests.created(index)
        status, told = self._send(request)
        if status != _OK and _EXISTS.encode() not in told:
            raise RefusedByEngineError(request, status, told)

    def _write(self, indices: Sequence[str], at: Millis, changes: Changes) -> None:
        request = requests.written(indices, changes, at)
        status, told = self._send(request)
        if status in (_INVALID, _TOO_LARGE):
            raise UnindexableError(_told(status, told))
        if status != _OK:
            raise RefusedByEngineError(request, status, told)
        for each in (of for item in json.loads(told)["items"] for of in item.values()):
            fault = json.dumps(each.get("error")).encode()
            if each["status"] == _INVALID:
                raise UnindexableError(_told(_INVALID, fault))
            if each["status"] >= 300 and each["status"] not in _KNOWN:
                raise RefusedByEngineError(request, each["status"], fault)

    def _done(self, request: Request) -> Any:
        status, told = self._send(request)
        if status != _OK:
            raise RefusedByEngineError(request, status, told)
        return json.loads(told)


def _told(status: int, told: bytes) -> str:
    return f"{status} {told[:200].decode(errors='replace')}"
