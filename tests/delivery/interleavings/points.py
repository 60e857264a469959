"""Where programs stand. A place in a program is the list of the answers that it was given, and has a number."""

from typing import NamedTuple

from tests.delivery.interleavings.asking import AskingTable, Request, StandsError
from tests.delivery.interleavings.programs import Program, Runner
from tests.delivery.interleavings.tables import Tables

NOBODY = -1


class Point(NamedTuple):
    """A program, run in some hour, after some answers.

    `request`: before which it stands, None if it has ended; `error`: what ended it, if it may not end so.
    """

    program: Program
    hour: int
    answers: tuple[int, ...]
    request: int | None
    error: Exception | None = None

    @property
    def failed(self) -> bool:
        """Whether it ended in a way in which it must not end."""
        return self.error is not None


class Points:
    """The points met so far. Each is reached by running its program once, on its answers."""

    def __init__(self, tables: Tables, runner: Runner) -> None:
        self.all: list[Point] = []
        self._tables, self._runner = tables, runner
        self._begun: dict[tuple[Program, int], int] = {}
        self._answered: dict[tuple[int, int], int] = {}
        self._past: dict[int, int] = {}

    def begun(self, program: Program, hour: int, table: int) -> int:
        """The point where a program begins."""
        if (program, hour) not in self._begun:
            self._begun[program, hour] = self._reached(program, hour, ())
        return self._past_constants(self._begun[program, hour], table)

    def answered(self, point: int, answer: int, table: int) -> int:
        """The point that an answer leads to."""
        return self._past_constants(self._next(point, answer), table)

    def forget_assumed(self) -> None:
        """Begin anew, knowing more of what is written."""
        self._past.clear()
        self._tables.forget_assumed()

    def _past_constants(self, point: int, table: int) -> int:
        """The next point at which it matters when the program goes on."""
        past = self._past.get(point)
        if past is None:
            request, past = self.all[point].request, point
            if request is not None and self._tables.constant(request):
                _, answer = self._tables.do(table, request)
                past = self._past_constants(self._next(point, answer), table)
            self._past[point] = past
        return past

    def _next(self, point: int, answer: int) -> int:
        if (point, answer) not in self._answered:
            before = self.all[point]
            self._answered[point, answer] = self._reached(before.program, before.hour, (*before.answers, answer))
        return self._answered[point, answer]

    def request(self, point: int) -> Request | None:
        """The request before which a program stands; None if it has ended."""
        number = self.all[point].request
        return None if number is None else self._tables.requests.all[number]

    def _reached(self, program: Program, hour: int, answers: tuple[int, ...]) -> int:
        self.all.append(Point(program, hour, answers, *self._run(program, hour, answers)))
        return len(self.all) - 1

    def _run(self, program: Program, hour: int, answers: tuple[int, ...]) -> tuple[int | None, Exception | None]:
        table = AskingTable([self._tables.answers.all[answer] for answer in answers])
        try:
            self._runner.run(program, hour, table)
        except StandsError as stands:
            return self._tables.request(stands.request), None
        except Exception as error:  # noqa: BLE001 - whatever ends a program is what is looked for
            return None, None if self._runner.may_end(program, error) else error
        return None, None
