"""A route that writes: a request of it with given texts, what must be there before, what must be seen after."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import simplejson

from tests.adversarial.texts import Texts
from tests.support.http import Answer, Client

CALLER = Client("amy", ("ingest", "import", "write", "admin"))
Ids = Mapping[str, str]
Seen = tuple[Any, Any]


@dataclass(frozen=True)
class Request:
    """A request of a route: the ids of its path, its body, its query."""

    route: str
    ids: Ids
    body: Any = None
    query: Mapping[str, str] | None = None

    def send(self) -> Answer:
        """The answer to it. Decimals are sent with every digit, characters beyond ASCII escaped, as clients do."""
        body = None if self.body is None else simplejson.dumps(self.body, use_decimal=True)
        return self.send_text(body)

    def send_text(self, body: str | None) -> Answer:
        """The answer to it with another body."""
        return CALLER.call(self.route, self.query, body, **self.ids)


@dataclass(frozen=True)
class Case:
    """A route that writes.

    - `request`: a good one, made of some texts
    - `seen`: what a reader finds after it, and what must be found
    - `before`: what must have been stored
    - `largest`: the body that makes the greatest item with such texts, if it is not the body of `request`
    - `anything`: the member that takes any object, within its bytes
    - `judged`: the list each element of which is judged by itself; the answer is 202 and names what is at fault
    """

    request: Callable[[Texts], Request]
    seen: Callable[[Texts, Any], Seen]
    before: Callable[[Texts], Sequence[Request]] = lambda _: ()
    largest: Callable[[Texts], Any] | None = None
    anything: str | None = None
    judged: str | None = None

    def prepare(self, texts: Texts) -> None:
        """Store what must be there."""
        for request in self.before(texts):
            assert request.send().status < 300


def get(route: str, query: Mapping[str, str] | None = None, **ids: str) -> Any:
    """What a reader finds."""
    return CALLER.call(f"GET {route}", query, **ids).body
