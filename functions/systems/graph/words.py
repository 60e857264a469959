"""What is searched of a node: its id, its type, and the values of its attributes."""

from collections.abc import Sequence

from edgewise import BeginsWith, Item, Key, Query
from edgewise.dynamodb.attributes import key_of, string
from functions.searchable import Contents, Searchable
from functions.systems.graph import codec, keys

_NAME = "name"


def _node(item: Item) -> Key:
    """The node that an attribute is of."""
    return keys.NODE_ITEM(keys.parse_node(string(item["PK"])))


def _contents(items: Sequence[Item]) -> Contents | None:
    nodes = [codec.node(item) for item in items if string(item["Type"]) == codec.NODE]
    if not nodes or nodes[0].deleting:
        return None
    about = nodes[0].id
    told = [codec.attribute(item)[1] for item in items if string(item["Type"]) == "NODE_ATTRIBUTE"]
    names = [" ".join(each.value) for each in told if each.name == _NAME]
    others = [" ".join(each.value) for each in told if each.name != _NAME]
    text = " ".join([about.type, about.id, *others])
    return Contents(about, " ".join(names) or about.id, text, attributes={"type": about.type})


def _says(item: Item) -> object:
    """A node's state is not searched, and some change each second."""
    return codec.node(item).deleting if string(item["Type"]) == codec.NODE else item


NODES = Searchable(
    "node",
    keys.NODES,
    {codec.NODE: key_of, "NODE_ATTRIBUTE": _node},
    _contents,
    lambda key: Query(key.pk, BeginsWith(keys.NODE), consistent=True),
    _says,
    ("type",),
)
