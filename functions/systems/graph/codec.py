"""Items of the graph: nodes, attributes and edges."""

from edgewise import Item
from edgewise.aggregates.measures import measurable
from edgewise.dynamodb.attributes import integer, key_item, n, number, s, string
from edgewise.sharding.lists import FIRST
from functions.systems.graph import keys
from functions.systems.graph.entity import Attribute, GraphEdge, Node, NodeId


def node_item(node: Node) -> Item:
    """A node; its attributes are separate items."""
    item = key_item(keys.node_item(node.id)) | {"Type": s("NODE"), "Version": n(node.version)}
    return item | {"Deleting": {"BOOL": True}} if node.deleting else item


def node(item: Item) -> Node:
    """The inverse of node_item."""
    return Node(keys.parse_node(string(item["PK"])), integer(item["Version"]), "Deleting" in item)


def attribute_item(of: NodeId, attribute: Attribute, shard: int = FIRST) -> Item:
    """One attribute of a node, with its entry in the index by value: in this shard of the list of its name."""
    return key_item(keys.attribute(of, attribute)) | {
        "Type": s("NODE_ATTRIBUTE"),
        "GSI1PK": s(keys.attributes_of(attribute.name).shard(shard)),
        "GSI1SK": s(keys.found(of, attribute)),
    }


def attribute(item: Item) -> tuple[NodeId, Attribute]:
    """A node and one of its attributes, from the table or from the index by value."""
    return keys.parse_node(string(item["PK"])), keys.parse_attribute(string(item["SK"]))


def attribute_anew(named: tuple[NodeId, Attribute], shard: int) -> Item:
    """The item of a node and one of its attributes, as `attribute` reads them."""
    return attribute_item(*named, shard)


def edge_item(edge: GraphEdge) -> Item:
    """An edge in the partition of its source, with its entry in the index by target."""
    item = key_item(keys.edge(edge.source, edge.label, edge.target)) | {
        "Type": s("GRAPH_EDGE"),
        "Weight": n(edge.weight),
        "GSI2PK": s(keys.node(edge.target)),
        "GSI2SK": s(keys.edge_at_target(edge.source, edge.label)),
    }
    return item | {"Data": s(edge.data)} if edge.data else item


def edge(item: Item) -> GraphEdge:
    """The inverse of edge_item, also of entries of the index by target; refuses weights whose sums would be rounded."""
    data = string(item["Data"]) if "Data" in item else ""
    weight = measurable(number(item["Weight"]))
    return GraphEdge(*keys.parse_edge(string(item["PK"]), string(item["SK"])), weight, data)
