"""What checks know of the copies of states on edges: whether each says what its neighbour says."""

from contextlib import suppress

from edgewise import Condition, Item, Key, Put, RefusedError, Table
from edgewise.aggregates.measures import EXACT
from edgewise.derived import Copies, Said, Stated
from edgewise.dynamodb.attributes import key_of, string
from functions.systems.graph import codec, dangling, keys, passes, states
from functions.systems.graph.codec import ADJACENT, EDGE, MIRROR, NODE
from functions.systems.graph.declared import TELLING
from functions.systems.graph.entity import State


def _told(item: Item) -> Stated | None:
    """What a node, or what its neighbours come to, says of its state; None if another item says it, or nobody asks."""
    of = keys.parse_node(string(item["PK"]))
    if of.type not in TELLING or key_of(item) != (keys.deriving(of) or keys.NODE_ITEM(of)):
        return None
    return None if "Deleting" in item else (keys.NODE_ITEM(of), _content(codec.state(item)))


def _said(item: Item) -> Stated | None:
    told = states.neighbour(key_of(item))
    return (keys.NODE_ITEM(told), _content(codec.state(item))) if told else None


def _content(state: State) -> Said:
    measures = (f"{name} {EXACT.normalize(value):f}" for name, value in state.measures)
    return Said(state.version, " ".join(filter(None, (state.name, *measures))))


def _passed(item: Item) -> Key:
    """The node whose state a pass still brings to its edges."""
    return keys.NODE_ITEM(passes.passing(item).of)


def _deleted(item: Item) -> Key | None:
    """A node that is being deleted: its edges go one by one."""
    return keys.NODE_ITEM(keys.parse_node(string(item["PK"]))) if "Deleting" in item else None


def _put_right(table: Table, at: Key) -> None:
    """Whoever changes the state between these reads and the write makes the cascade look at the edge again."""
    item, told = table.get(at), states.neighbour(at)
    there = dangling.living(table, (), [told]) if item and told else {}
    if item and told in there and codec.state(item) != there[told].state:
        with suppress(RefusedError):
            table.write(Put(states.telling(item, there[told].state), Condition.as_read(item)))


COPIES = Copies(
    name="NEIGHBOUR_STATE",
    copies=(EDGE, MIRROR),
    originals=(NODE, ADJACENT),
    told=_told,
    said=_said,
    single=False,
    put_right=_put_right,
    busy={passes.PASSES: _passed, NODE: _deleted},
)
