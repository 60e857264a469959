"""Histories as people read them."""

from collections.abc import Iterator, Sequence
from typing import Any

from edgewise.dynamodb.writes import Check, Delete, Put
from tests.delivery.interleavings.asking import Answer, Request
from tests.delivery.interleavings.model import Model, Move, State
from tests.delivery.interleavings.points import NOBODY
from tests.delivery.interleavings.programs import Delivery, FollowUp, Program, Redrive, Repair, Sweep

_SHOWN = ("Version", "Cells", "ExpiresAt", "Shards", "Lacks", "Closing", "Floor", "Names", "Unsure", "Refill")


def told(model: Model, way: Sequence[tuple[Move, State]]) -> str:
    """The moves, one a line, then what is wrong."""
    lines = [_line(model, move) for move, _ in way]
    return "\n".join([*lines, *_end(model, way[-1][1])])


def _end(model: Model, state: State) -> Iterator[str]:
    if state.failed != NOBODY:
        yield f"it ends with {model.points.all[state.failed].error!r}"
        return
    yield f"the aggregates say {model.found(state.table)}"
    yield f"the sources say    {model.expected(tuple(shard.made for shard in state.shards))}"


def _line(model: Model, move: Move) -> str:
    if move.point == NOBODY:
        return f"{move.what}: {move.about}"
    point = model.points.all[move.point]
    line = f"{_name(model, point.program)} {move.what}"
    if point.request is not None and move.answer != NOBODY:
        line += f": {_request(model.tables.requests.all[point.request])}"
        line += f" -> {_answer(model.tables.answers.all[move.answer])}"
    return line


def _name(model: Model, program: Program) -> str:
    match program:
        case Delivery(shard, records, unreadable):
            return f"shard {shard} [{_places(model, records)}]" + (f" without {unreadable}" if unreadable else "")
        case FollowUp(records):
            return f"cascade [{_places(model, records)}]"
        case Redrive(shard, sequence):
            return f"redrive {shard} {int(sequence)}"
        case Repair(of):
            return f"repair of {of}"
        case Sweep():
            return "sweep"


def _places(model: Model, records: Sequence[int]) -> str:
    written = [model.records.all[record] for record in records]
    return ", ".join(f"{each.place} of hour {each.hour}" for each in written)


def _request(request: Request) -> str:
    return f"{request.method} {', '.join(map(_brief, request.arguments))}"


def _brief(value: Any) -> str:
    match value:
        case Put(item, condition):
            return f"put {_item(item)} if {dict(condition.equal) if condition else None}"
        case Delete(key) | Check(key):
            return f"{type(value).__name__.lower()} {key}"
        case tuple() if type(value) is tuple:
            return ", ".join(map(_brief, value))
        case _:
            return str(value)


def _answer(answer: Answer) -> str:
    if answer.error is not None:
        return repr(answer.error)
    if isinstance(answer.value, dict):
        values = answer.value.values() if "PK" not in answer.value else [answer.value]
        return "; ".join(map(_item, values)) or "nothing"
    return "done" if answer.value is None else str(answer.value)


def _item(item: Any) -> str:
    shown = {name: value for name, value in item.items() if name in _SHOWN}
    return f"{item['PK']['S']} {item['SK']['S']} {shown}"
