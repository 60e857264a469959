"""What may be asked to go wrong with a delivery that succeeded: it is done as Lambda would, and told in words.

Whoever delivers a stream does it: the local cloud's own program, and the simulator in which a run is seen again.
"""

import json
from collections.abc import Iterator
from typing import Any

from delivery import Accepted, Batch, Fault, Reader, Shard, Stream, settle
from edgewise.aggregates.checkpoints import shard_name
from edgewise.stream import changes
from functions.systems.proof.entity import MISDELIVERED, Misdelivered

# So many records are read again before those of the present window, and then all of the window of the first.
BACK = 40
# No more shards are open at once by splits: on the local cloud, each takes a process of each reader.
MOST_SHARDS = 8
_STRIKES: dict[Misdelivered, Fault] = {
    "repeat": Fault.REPEATED,
    "repeat half": Fault.REPEATED,
    "rewind": Fault.REWOUND,
}


def possible(reader: Reader, batch: Batch, answer: Accepted) -> tuple[Misdelivered, ...]:
    """The kinds that can happen to a delivery now, before it is settled; none if nobody would notice.

    A reader that reads again does not go back once more: it might never arrive.
    """
    if answer.done < len(batch) or not any(is_news(record.form) for record in reader.records_of(batch)):
        return ()
    can = {
        "repeat": True,
        "repeat half": len(batch) > 1,
        "rewind": reader.at_frontier,
        "lose state": bool(answer.state),
        "split": not reader.shard.closed,
    }
    return tuple(kind for kind in MISDELIVERED if can[kind])


def strike(kind: Misdelivered, stream: Stream, reader: Reader, batch: Batch, answer: Accepted, now: float) -> str:
    """Settle a delivery so that a possible fault happens to it; returns what happened."""
    whole, end = len(batch), batch.end
    settle(reader, batch, answer, now, _STRIKES.get(kind), lambda: BACK)
    match kind:
        case "repeat":
            return f"batch of {whole} again, all of it"
        case "repeat half":
            # It comes again shorter. What is behind that comes with other boundaries, perhaps with newer records.
            batch.end = batch.start + whole // 2
            return f"first {len(batch)} of {whole} records came again, then the rest"
        case "rewind":
            back = end - reader.position
            return f"read again from {back} {'record' if back == 1 else 'records'} earlier on"
        case "lose state":
            reader.lose_state()
            return f"the window's state was lost: {len(json.dumps(answer.state))} bytes"
        case "split":
            return _split(stream, reader.shard)


def is_news(form: dict[str, Any]) -> bool:
    """Whether a record is more than a heartbeat, or a carrier that carries nothing: these come all the time."""
    return not (changes.heartbeats([form]) or changes.is_position(form))


def names(stream: Stream, shard: Shard) -> Iterator[str]:
    """The shard's name, and those of the shards that it continues."""
    parents = {each.id: each.parent for each in stream.shards}
    of: str | None = shard.id
    while of is not None:
        yield shard_name(of)
        of = parents[of]


def _split(stream: Stream, shard: Shard) -> str:
    if len(stream.open_shards) >= MOST_SHARDS:
        return f"not split: {MOST_SHARDS} shards are open, and there is room for no more"
    children = " and ".join(shard_name(each.id) for each in stream.split(shard))
    return f"shard {shard_name(shard.id)} split into {children}"
