"""Stores a generation of summaries, part by part, beside the current one, and tells them to the edges of neighbours.

On the way, it takes over where the stream has left telling a state to more edges than it should (passes.py). Whatever
is repeated changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, islice

from edgewise import Table, decoded
from edgewise.errors import OutOfTimeError
from functions.systems.graph import keys, outlines, summary_codec, telling
from functions.systems.graph.summary import Generation, Progress, Summary, highest

# The most nodes that a ranking by PageRank answers.
TOP = 100
# Nodes that are stored between two looks at the clock: 20 requests.
STEP = 500

# The summaries of a part, but for so many at its beginning.
Read = Callable[[int], Iterable[Summary]]


def publish(table: Table, of: Generation, part: str, read: Read, may_go_on: Callable[[], bool]) -> int:
    """Store the summaries of a part from where an earlier attempt ended, and return how many nodes the part has.

    Of all parts together, the nodes with the greatest PageRank are among those that each part ranks. Raises
    OutOfTimeError when it may not go on; the next attempt does.
    """
    progress = known_progress(table, of, [part])[part]
    if progress.whole:
        return progress.nodes
    done, first, summaries = progress.nodes, list[Summary](), iter(read(progress.nodes))
    while some := list(islice(summaries, STEP)):
        table.put_many([summary_codec.summary_item(of, each) for each in some])
        requests = chain(outlines.tell(table, of, some), telling.take_over(table, (each.node for each in some)))
        told = all(may_go_on() for _ in requests)
        if told:
            done, first = done + len(some), highest([*first, *some], TOP)
        if not (told and may_go_on()):
            _note(table, of, part, first, Progress(done))
            raise OutOfTimeError(part, done)
    _note(table, of, part, first, Progress(done, whole=True))
    return done


def known_progress(table: Table, of: Generation, parts: Sequence[str]) -> Mapping[str, Progress]:
    """How far these parts are stored."""
    found = table.get_many([keys.PART(of.run, part) for part in parts], consistent=True)
    items = {part: found.get(keys.PART(of.run, part)) for part in parts}
    return {part: decoded(summary_codec.progress, item) if item else Progress() for part, item in items.items()}


def _note(table: Table, of: Generation, part: str, first: Sequence[Summary], progress: Progress) -> None:
    """The progress comes last: whatever it counts is stored."""
    table.put_many([summary_codec.ranked_item(of, each) for each in first])
    table.put_many([summary_codec.progress_item(of, part, progress)])
