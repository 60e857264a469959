"""Items of summaries; all items of a generation expire together."""

from decimal import Decimal

from edgewise import Item
from edgewise.dynamodb.attributes import Attribute, integer, key_item, n, number, s, string
from edgewise.dynamodb.keys import join, split
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.times import SECOND
from functions.systems.graph import keys
from functions.systems.graph.entity import NodeId
from functions.systems.graph.summary import Generation, Level, Progress, Similar, Summary


def summary_item(of: Generation, summary: Summary) -> Item:
    """The summary of a node, in the node's partition."""
    return key_item(keys.SUMMARY(summary.node, of.run)) | {
        "Type": s("NODE_SUMMARY"),
        "PageRank": n(summary.pagerank),
        "Component": s(join(*summary.component)),
        "ComponentNodes": n(summary.component_nodes),
        "Two": _level_attribute(summary.two),
        "Three": _level_attribute(summary.three),
        "Similar": {"L": [_similar_attribute(each) for each in summary.similar]},
        **_expiry(of),
    }


def summary(item: Item) -> Summary:
    """The inverse of summary_item."""
    return Summary(
        node=keys.parse_node(string(item["PK"])),
        pagerank=number(item["PageRank"]),
        component=NodeId(*split(string(item["Component"]))),
        component_nodes=integer(item["ComponentNodes"]),
        two=_level(item["Two"]),
        three=_level(item["Three"]),
        similar=tuple(map(_similar, item["Similar"]["L"])),
    )


def ranked_item(of: Generation, summary: Summary) -> Item:
    """A node among those with the greatest PageRank."""
    key = keys.ranked_by_pagerank(of.run, summary.pagerank, summary.node)
    return key_item(key) | {"Type": s("NODE_RANKED"), "PageRank": n(summary.pagerank), **_expiry(of)}


def ranked(item: Item) -> tuple[NodeId, Decimal]:
    """A node and its PageRank."""
    return keys.parse_ranked(string(item["SK"])), number(item["PageRank"])


def progress_item(of: Generation, part: str, progress: Progress) -> Item:
    """How far a part of a generation is stored."""
    told: Item = {"Nodes": n(progress.nodes), "Whole": {"BOOL": progress.whole}}
    return key_item(keys.PART(of.run, part)) | {"Type": s("SUMMARIES_PART"), **told, **_expiry(of)}


def progress(item: Item) -> Progress:
    """The inverse of progress_item."""
    return Progress(integer(item["Nodes"]), item["Whole"]["BOOL"])


def generation_item(of: Generation) -> Item:
    """What names the current generation."""
    return key_item(keys.CURRENT) | {"Type": s("SUMMARIES"), "Run": s(of.run), "At": n(of.at), **_expiry(of)}


def generation(item: Item) -> Generation:
    """The inverse of generation_item."""
    return Generation(string(item["Run"]), integer(item["At"]))


def _level_attribute(level: Level) -> Attribute:
    # The weight is text: a sum over many nodes may have more digits than DynamoDB's numbers.
    told = {"Nodes": n(level.nodes), "Edges": n(level.edges), "Weight": s(format(level.weight, "f"))}
    return {"M": told | {"AtLeast": {"BOOL": level.at_least}}}


def _level(attribute: Attribute) -> Level:
    told = attribute["M"]
    weight = Decimal(string(told["Weight"]))
    return Level(integer(told["Nodes"]), told["AtLeast"]["BOOL"], integer(told["Edges"]), weight)


def _similar_attribute(similar: Similar) -> Attribute:
    return {"L": [s(join(*similar.node)), n(Decimal(repr(similar.score))), n(similar.common)]}


def _similar(attribute: Attribute) -> Similar:
    node, score, common = attribute["L"]
    kind, node_id = split(string(node))
    return Similar(kind, node_id, float(number(score)), integer(common))


def _expiry(of: Generation) -> Item:
    return {TTL_ATTRIBUTE: n(of.ends // SECOND)}
