"""Somebody watches a run: each second numbers are compared as by `GET /proof`, and in the end counted anew."""

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final, Literal

from edgewise import Key, Millis, rfc_3339
from edgewise.dynamodb.attributes import key_of
from edgewise.stream import quarantine
from edgewise.times import SECOND
from functions.replay.apart import apart
from functions.replay.arrivals import WATCHED
from functions.replay.run import Run
from functions.systems.operations.naming import spelled
from functions.systems.proof import clicks, looking, store
from functions.systems.proof.entity import BROKEN, MISDELIVERED, Number, Watch
from functions.systems.proof.looking import Left
from functions.systems.proof.models import ClickOut, EndOut, FrameOut, RunOut
from functions.systems.proof.telling import look_out, watch_out
from functions.systems.proof.verdict import Base, Recount, Stored

_ABOUTS: Final = list(WATCHED)
_NUMBERS: Final = tuple(Number(json.dumps(about.plain), cell) for about, cell in WATCHED.items())
# How often somebody says that they still watch; and how many lines of the log are looked at.
_AGAIN: Final[Millis] = 10 * SECOND
_LINES: Final = 50


def answer(seed: int, script: str) -> RunOut:
    """The run of a seed and a valid script, from its first second until all is delivered."""
    run = Run(seed, clicks.parsed(script))
    with apart(run, Random(f"{seed} names")):
        watcher = _Watcher(run)
        frames = list(watcher.frames())
        return RunOut(
            seed=seed,
            script=script,
            kinds=[*BROKEN, *MISDELIVERED],
            watch=watch_out(watcher.watch),
            frames=frames,
            clicked=[ClickOut(at=rfc_3339(each.at), act=each.act, of=each.of) for each in run.clicked],
            ends=_ends(run, watcher.watch),
        )


class _Watcher:
    def __init__(self, run: Run) -> None:
        self._run = run
        self.watch = self._watched()
        # The table is empty: what came before the watch is known.
        nothing = Recount(tuple(Base(Stored(0, {})) for _ in _NUMBERS))
        self._left = Left(self.watch.id, nothing, self.watch.since)
        self._told = set[str]()

    def frames(self) -> Iterator[FrameOut]:
        """A look each second."""
        goes_on = True
        while goes_on:
            goes_on = self._run.go_on()
            if self.watch.until - self._run.now < 2 * _AGAIN:
                self.watch = self._watched()
            yield self._look()

    def _watched(self) -> Watch:
        return store.watch(self._run.table, _NUMBERS, plain=True)

    def _look(self) -> FrameOut:
        table = self._run.table
        seen = looking.look(table, self.watch, _ABOUTS, self._left)
        self._left = seen.left
        done = [each for each in store.log(table, _LINES) if each.fault.id not in self._told]
        self._told |= {each.fault.id for each in done}
        told = look_out(store.asked(table), seen, _ABOUTS, done, self._run.now)
        return FrameOut(written=len(self._run.arrived), **told)


def _ends(run: Run, watch: Watch) -> list[EndOut]:
    """The numbers as they are stored, beside a count of what was written: it knows nothing of what counts them."""
    counted = Counter(about for each in run.arrived for about in each.counts)
    aside = _set_aside(run)
    lacks = Counter(about for each in run.arrived if key_of(each.item) in aside for about in each.counts)
    return [
        EndOut(
            kind=about.kind.name,
            dimensions=spelled(about),
            cell=WATCHED[about],
            stored=stored.count,
            recounted=counted[about],
            lacks=lacks[about],
            verdict=_verdict(stored.count, counted[about], lacks[about]),
        )
        for about, stored in zip(_ABOUTS, store.look(run.table, watch, _ABOUTS).stored, strict=True)
    ]


def _set_aside(run: Run) -> set[Key]:
    """The items whose records are in quarantine."""
    parts = filter(quarantine.is_set_aside, run.table.items.values())
    return {key_of(record["dynamodb"]["Keys"]) for record in quarantine.records(parts)}


def _verdict(stored: int, counted: int, lacks: int) -> Literal["equal", "lacks", "wrong"]:
    if stored + lacks != counted:
        return "wrong"
    return "lacks" if lacks else "equal"
