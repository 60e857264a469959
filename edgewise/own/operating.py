"""The commands of operators for the aggregates of a table that was there before: plain JSON values both ways.

`{"do": "list"}` shows the records in quarantine, `{"do": "apply"}` applies them after a fix, and `{"do": "discard",
"shard": ..., "sequence": ...}` removes one that nobody can understand. `{"do": "recount", "kind": ..., "dimensions":
[...], "repair": true}` compares an aggregate with its stored sources, and repairs it. `{"do": "sweep"}` removes emptied
aggregates and what has expired, and takes up extremes that are unknown because a source could not be read.
`{"do": "trust", "name": ...}` lets readers trust again what `list` calls doubted because of a record that is gone,
once somebody has counted it elsewhere.
`{"do": "backfill", "per_second": 100}` marks what a backfill has yet to count, and `{"do": "forget", "backfill": ...}`
removes the notes of one that is over.
`{"do": "fill", "per_second": 100}` fills the views that count what was stored before; sweeps go on with it.
`{"do": "remove", "view": ...}` removes what is kept of a view that is declared no more.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.backfill import backfilled
from edgewise.aggregates.doubts import concern
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.stored import is_lacking
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import Table
from edgewise.errors import EdgewiseError, InvalidInputError
from edgewise.observability import metrics
from edgewise.own import declaring, expired, removing
from edgewise.own.filling import Filling
from edgewise.own.fills import Fill, every, filled
from edgewise.own.marking import MOST_A_SECOND, forget, mark
from edgewise.stream import doubting, incomplete, quarantine, redrive, verification
from edgewise.stream.dialect import Dialect
from edgewise.stream.follow_ups import FollowUps
from edgewise.stream.quarantine import QuarantinedRecord
from edgewise.stream.register import register
from edgewise.stream.sweep import sweep
from edgewise.stream.verification import RepairRefusedError, Verification

Answer = dict[str, Any]
Command = Mapping[str, Any]
# How many records and notes a list shows.
MOST = 1000
# A change takes a second or two through the stream, and this long at most if it waits for the end of a window.
SETTLING_SECONDS = 60
# How many items a backfill marks, and a fill reads, in a second by default.
PACE = 100
_VIEW = re.compile("[A-Za-z][A-Za-z0-9_]*-[0-9a-f]{10}")


@dataclass(frozen=True)
class Operator:
    """Does what commands say, in one table; `run` is the backfill that is declared, empty if none is."""

    table: Table
    follow_ups: FollowUps
    dialect: Dialect
    run: str
    may_go_on: MayGoOn

    def do(self, command: Mapping[str, Any]) -> Answer:
        """The answer to a command; one with `error` means that nothing was done."""
        commands = {
            "list": self._list,
            "apply": self._apply,
            "discard": self._discard,
            "recount": self._recount,
            "sweep": self._sweep,
            "backfill": self._backfill,
            "forget": self._forget,
            "fill": self._fill,
            "remove": self._remove,
            "trust": self._trust,
        }
        try:
            if found := commands.get(str(command.get("do"))):
                return found(command)
            raise InvalidInputError.of("do", f"must be one of {', '.join(commands)}")
        except (EdgewiseError, RepairRefusedError) as error:
            return {"error": str(error)}

    def _list(self, _: Command) -> Answer:
        found, noted = quarantine.page(self.table, MOST, None)[0], incomplete.page(self.table, MOST, None)[0]
        lacking = [{"kind": each.kind, "dimensions": list(each.dimensions), "why": each.why} for each in noted]
        known = register(self.table)
        doubted = sorted(known.doubted)
        fills = list(map(_far, every(self.table).values()))
        return {
            "records": list(map(_told, found)),
            "count": known.count,
            "incomplete": lacking,
            "doubted": doubted,
            "fills": fills,
        }

    def _apply(self, _: Command) -> Answer:
        self._heed()
        done, malformed = 0, []
        for record, error in redrive.redriven(self.table, self.follow_ups, self.may_go_on, self.dialect):
            done += error is None
            malformed += [_told(record) | {"error": str(error)}] if error else []
        return {"applied": done, "malformed": malformed, "left": register(self.table).count}

    def _recount(self, command: Command) -> Answer:
        kind, dimensions = self.follow_ups.catalog.kinds.get(_text(command, "kind")), command.get("dimensions")
        if kind is None or not isinstance(dimensions, list):
            raise InvalidInputError.of("kind", "must be declared, with a list of its dimensions")
        try:
            about = kind(*kind.key.named(*dimensions))
        except (TypeError, ValueError) as error:
            raise InvalidInputError.of("dimensions", str(error)) from error
        if command.get("repair"):
            found = self._repaired(about)
        else:
            found = verification.verify(self.table, about, self.may_go_on)
        should, are = found.differing
        return {
            "equal": found.equal,
            "sources": found.sources,
            "complete": found.complete,
            "should": should,
            "are": are,
        }

    def _repaired(self, about: AggregateId) -> Verification:
        if backfilled([about.kind]):
            why = "would count what the backfill still has to count: wait until its view is declared without it"
            raise InvalidInputError.of("repair", why)
        if about.kind.latest and not self._is_filled(str(about.kind.of_set)):
            why = "would stand in the way of what the view's fill puts: wait until that is over"
            raise InvalidInputError.of("repair", why)
        item = self.table.get(keys.of(about))
        # What a fill could not read, or what was given up, no item of the aggregate's own may say.
        lacks = (item and is_lacking(item)) or concern(register(self.table).lacking, about)
        if lacks and any(feed.source.kind for feed in about.kind.feeds):
            why = "is counted by entries or edges, which may lack the same: rename its view, with a backfill"
            raise InvalidInputError.of("repair", why)
        return verification.repair(self.table, about, lambda: clock.sleep(SETTLING_SECONDS), self.may_go_on)

    def _is_filled(self, view: str) -> bool:
        fill = every(self.table).get(view)
        return bool(fill and fill.end is not None and fill.end <= clock.now())

    def _trust(self, command: Command) -> Answer:
        name, known = _text(command, "name"), register(self.table)
        if name not in known.lacking | known.filling:
            why = "is not doubted because of a record that was discarded or given up, or of a backfill"
            raise InvalidInputError.of("name", why)
        return {"trusted": int(doubting.trust(self.table, name, known))}

    def _sweep(self, _: Command) -> Answer:
        swept = sweep(self.table, self.follow_ups.catalog, self.may_go_on)
        # Told even while nothing is written and the reader of the stream rests.
        metrics.add_metric("QuarantineLevel", MetricUnit.Count, register(self.table).count)
        gone = expired.remove(self.table, self.may_go_on)
        self._filling.go_on()
        removing.go_on(self.table, self.follow_ups.catalog.kinds.keys(), self.may_go_on)
        return {
            "seen": swept.seen + gone.seen,
            "removed": swept.removed + gone.removed,
            "taken_up": swept.taken_up,
            "complete": swept.complete and gone.complete,
        }

    def _discard(self, command: Command) -> Answer:
        shard, sequence = _text(command, "shard"), _text(command, "sequence").zfill(40)
        self._heed()
        redrive.discard(self.table, self.follow_ups, shard, sequence, self.dialect)
        return {"discarded": 1}

    def _backfill(self, command: Command) -> Answer:
        if not self.run:
            raise InvalidInputError.of("do", "needs views that are declared with the name of a backfill")
        pace = _pace(command)
        fills = [name for name, kind in self.follow_ups.catalog.kinds.items() if kind.backfilling]
        found = mark(self.table, self.run, fills, pace, self.may_go_on)
        return {"seen": found.seen, "marked": found.marked, "complete": found.complete}

    def _fill(self, command: Command) -> Answer:
        if not filled(self.follow_ups.catalog):
            raise InvalidInputError.of("do", "needs views that are declared with fill=True")
        self._filling.begin(_pace(command))
        fills = self._filling.go_on()
        return {"fills": list(map(_far, fills)), "complete": all(fill.end is not None for fill in fills)}

    def _remove(self, command: Command) -> Answer:
        view = _text(command, "view")
        if not _VIEW.fullmatch(view):
            raise InvalidInputError.of("view", "must be the name of a view with its version, such as Sales-7a41577f11")
        if any(kind == view or kind.startswith(f"{view}-") for kind in self.follow_ups.catalog.kinds):
            raise InvalidInputError.of("view", "is still declared: first deploy without it")
        found = removing.remove(self.table, view, self.may_go_on)
        return {"seen": found.seen, "removed": found.removed, "complete": found.complete}

    def _heed(self) -> None:
        """Break the fills of views that are not declared: they miss what leaves quarantine now."""
        declaring.heed(self.table, self.follow_ups.catalog, register(self.table))

    @property
    def _filling(self) -> Filling:
        return Filling(self.table, self.follow_ups.catalog, self.may_go_on)

    def _forget(self, command: Command) -> Answer:
        run = _text(command, "backfill")
        if run == self.run:
            raise InvalidInputError.of("backfill", "is still declared: first deploy the views without it")
        if register(self.table).count:
            raise InvalidInputError.of("backfill", "tells what was counted: first apply or discard what was set aside")
        found = forget(self.table, run, self.may_go_on)
        return {"seen": found.seen, "removed": found.removed, "complete": found.complete}


def _pace(command: Command) -> int:
    pace = command.get("per_second", PACE)
    if type(pace) is not int or not 1 <= pace <= MOST_A_SECOND:
        raise InvalidInputError.of("per_second", f"must be a whole number from 1 to {MOST_A_SECOND}")
    return pace


def _text(command: Command, field: str) -> str:
    value = command.get(field)
    if not isinstance(value, str):
        raise InvalidInputError.of(field, "must be a text")
    return value


def _told(record: QuarantinedRecord) -> Answer:
    return {"shard": record.shard, "sequence": record.sequence, "at": record.at, "error": record.error}


def _far(fill: Fill) -> Answer:
    """How far a fill is."""
    done = {"seen": fill.seen, "put": fill.put, "unread": fill.unread, "complete": fill.complete}
    return {"view": fill.view, "per_second": fill.per_second, **done}
