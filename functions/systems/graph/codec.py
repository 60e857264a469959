"""Items of the graph: nodes, attributes and edges."""

from decimal import Decimal

from edgewise import Item
from edgewise.aggregates.measures import bounded, measurable
from edgewise.dynamodb.attributes import exact, integer, key_item, key_of, n, number, number_of, s, string
from edgewise.dynamodb.keys import join, split
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.sharding.lists import FIRST
from edgewise.times import SECOND
from functions.systems.graph import keys
from functions.systems.graph.entity import IN, OUT, Attribute, Direction, GraphEdge, Node, NodeId, Outline, State
from functions.systems.graph.paths import found_by

NODE, EDGE, MIRROR, ADJACENT = "NODE", "GRAPH_EDGE", "GRAPH_EDGE_IN", "ADJACENT"
_OF_STATE = ("StateVersion", "State", "Measures", "Version")
_OF_NEIGHBOUR = (*_OF_STATE, "Outline")


def node_item(node: Node) -> Item:
    """A node; its attributes are separate items."""
    item = key_item(keys.NODE_ITEM(node.id)) | {"Type": s(NODE), "Version": n(node.version)} | told(node.state)
    expiry = {TTL_ATTRIBUTE: n(node.forgotten // SECOND)} if node.forgotten else {}
    left = {"Left": n(node.left)} if node.left else {}
    return item | {"Deleting": {"BOOL": True}} | expiry | left if node.deleting else item


def node(item: Item) -> Node:
    """The inverse of node_item."""
    forgotten = integer(item[TTL_ATTRIBUTE]) * SECOND if TTL_ATTRIBUTE in item else None
    left = integer(item["Left"]) if "Left" in item else None
    about = keys.parse_node(string(item["PK"]))
    return Node(about, integer(item["Version"]), state(item), "Deleting" in item, forgotten, left)


def told(state: State) -> Item:
    """A state, in the item of its node, and in those of the edges at whose other ends it is counted."""
    measures = {name: exact(value) for name, value in state.measures}
    return {"StateVersion": n(state.version), "State": s(state.name), "Measures": {"M": measures}}


def state(item: Item) -> State:
    """The inverse of told; of an item that tells none, no state."""
    if "StateVersion" not in item:
        return State()
    measures = ((name, measurable(number_of(each))) for name, each in sorted(item["Measures"]["M"].items()))
    return State(integer(item["StateVersion"]), string(item["State"]), tuple(measures))


def state_version(item: Item) -> int:
    """The version of the state that an item tells; 0 if it tells none."""
    return integer(item["StateVersion"]) if "StateVersion" in item else 0


def attribute_item(of: NodeId, attribute: Attribute, shard: int = FIRST) -> Item:
    """One attribute of a node, with its entry in the index by value: in this shard of the list of its name."""
    return key_item(keys.ATTRIBUTE(of, attribute.name, attribute.value)) | {
        "Type": s("NODE_ATTRIBUTE"),
        "GSI1PK": s(keys.attributes_of(attribute.name).shard(shard)),
        "GSI1SK": s(keys.found(of, attribute.value)),
    }


def attribute(item: Item) -> tuple[NodeId, Attribute]:
    """A node and one of its attributes, from the table or from the index by value."""
    of, name, value = keys.ATTRIBUTE.parse(*key_of(item))
    return of, Attribute(name, value)


def attribute_anew(named: tuple[NodeId, Attribute], shard: int) -> Item:
    """The item of a node and one of its attributes, as `attribute` reads them."""
    return attribute_item(*named, shard)


def edge_item(edge: GraphEdge) -> Item:
    """An edge, in the partition of its source, but for what it tells of its target."""
    item = key_item(keys.EDGE(*edge.name)) | {"Type": s(EDGE), "Weight": n(edge.weight)}
    return item | ({"Data": s(edge.data)} if edge.data else {}) | _entry(edge, OUT)


def mirror_item(edge: GraphEdge) -> Item:
    """The mirror of an edge, in the partition of its target, but for what it tells of its source."""
    return mirrored(edge_item(edge))


def mirrored(item: Item) -> Item:
    """The mirror of an edge's item, or the edge of a mirror's: it says the same, under another key."""
    other, direction = (MIRROR, IN) if string(item["Type"]) == EDGE else (EDGE, OUT)
    said = {name: item[name] for name in ("Weight", "Data") if name in item}
    return key_item(keys.mirrored(key_of(item))) | {"Type": s(other)} | said | _entry(edge(item), direction)


def edge_items(edge: GraphEdge) -> tuple[Item, Item]:
    """An edge and its mirror."""
    return edge_item(edge), mirror_item(edge)


def outlined(outline: Outline) -> Item:
    """What is known of a node by a fill, in the items of the edges at whose other ends it is."""
    numbers = outline.pagerank, *map(Decimal, (outline.at, outline.component_nodes, outline.two, outline.three))
    return {"Outline": {"L": [*map(n, numbers), {"BOOL": outline.at_least}, s(join(*outline.component))]}}


def outline(item: Item) -> Outline | None:
    """The inverse of outlined; None for an item that says nothing of it."""
    if "Outline" not in item:
        return None
    *known, at_least, component = item["Outline"]["L"]
    pagerank, at, component_nodes, two, three = map(number, known)
    return Outline(
        int(at),
        pagerank,
        NodeId(*split(string(component))),
        int(component_nodes),
        int(two),
        int(three),
        at_least["BOOL"],
    )


def of_neighbour(item: Item) -> Item:
    """What an edge tells of its target, or a mirror of its source; and its version, which it has only then."""
    return {name: item[name] for name in _OF_NEIGHBOUR if name in item}


def without_state(item: Item) -> Item:
    """The rest of an edge or a mirror, which says nothing of the state of the node at its other end."""
    return {name: value for name, value in item.items() if name not in _OF_STATE}


def without_neighbour(item: Item) -> Item:
    """The rest of an edge or a mirror, which says what the other one says."""
    return {name: value for name, value in item.items() if name not in _OF_NEIGHBOUR}


def _entry(edge: GraphEdge, direction: Direction) -> Item:
    """The entry of an edge in the list of one of its ends, if its label declares by what it is found there."""
    value = found_by(edge, direction)
    if value is None:
        return {}
    of, other = edge.ends if direction == OUT else reversed(edge.ends)
    return {
        "GSI2PK": s(keys.edges_found(of, direction, edge.label)),
        "GSI2SK": s(keys.found(other, value)),
    }


def edge(item: Item) -> GraphEdge:
    """The inverse of edge_item, also of mirrors; refuses weights that no request may give."""
    data = string(item["Data"]) if "Data" in item else ""
    weight = bounded(number(item["Weight"]))
    neighbour = state(item) if "StateVersion" in item else None
    ends = keys.parse_edge(*key_of(item))
    return GraphEdge(*ends, weight, data, neighbour, outline(item))
