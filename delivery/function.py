"""The function: runs the handler, one invocation within another, and applies the fault of each."""

import json
import math
from random import Random
from typing import Any, Protocol

from delivery.context import Context
from delivery.invocation import Invocation
from delivery.writes import KilledError


class Handler(Protocol):
    """A Lambda handler."""

    def __call__(self, event: dict[str, Any], context: Any, /) -> Any:
        """Handle an event, and return an answer."""


class FunctionError(Exception):
    """The invocation failed: the handler raised something, or its process ended."""


class Function:
    """A handler and its running invocations, the innermost last. It is the WriteHook of what the handler writes to."""

    def __init__(self, handler: Handler, random: Random) -> None:
        self._handler, self._random = handler, random
        self._running: list[Invocation] = []
        self._most_writes = 1

    @property
    def depth(self) -> int:
        """How many invocations are running."""
        return len(self._running)

    def some_write(self) -> int:
        """The number of a write that an invocation may reach; early ones are more likely."""
        return round(math.pow(self._most_writes, self._random.random()))

    def run(self, invocation: Invocation, event: str) -> Any:
        """The handler's answer to an event given as JSON; raises FunctionError."""
        self._running.append(invocation)
        try:
            return self._handler(json.loads(event), Context())
        except KilledError as error:
            raise FunctionError("killed") from error
        except Exception as error:  # to Lambda, whatever a handler raises is a failed invocation
            raise FunctionError(repr(error)) from error
        finally:
            self._running.pop()
            self._most_writes = max(self._most_writes, invocation.writes)

    def before(self) -> None:
        """A write is about to be made (see WriteHook)."""
        if self._running:
            self._running[-1].before()

    def after(self) -> bool:
        """A write was applied (see WriteHook)."""
        return bool(self._running) and self._running[-1].after()
