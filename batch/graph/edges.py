"""From the items of an export to the skeleton of its graph, by Spark: the only step that joins and shuffles.

Everything that is joined is one row an edge, or one row a node: a hub has a long list, but multiplies nothing.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql import functions as f

from batch.graph.ends import ends, together
from batch.graph.skeleton import Graph, Read, Row

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql import DataFrame, SparkSession

    from edgewise.dynamodb.attributes import Item

_ENDS = "source string, target string, whole long, rest long"
_NUMBERS = "name string, number int"
# Neighbours in their order. The sums are exact: they have 29 digits, and where those are too few, which takes 10^10
# edges of one node, Spark has no number, and the job fails.
_LISTS = (
    "array_sort(collect_list(other) filter (where leaves)) as out",
    "array_sort(collect_list(other) filter (where not leaves)) as back",
    "sum(cast(whole as decimal(19, 0))) as whole",
    "sum(cast(rest as decimal(19, 0))) as rest",
)


def read(spark: "SparkSession", items: "RDD[Item]") -> Read:
    """The graph of these items; raises what Spark raises when a file of theirs is missing or torn."""
    found = spark.createDataFrame(items.mapPartitions(ends), _ENDS, verifySchema=False).persist()
    numbered = _numbered(spark, found)
    graph = Graph()
    for row in _rows(found, numbered):
        graph.append(row)
    unreadable = found.where("source is null").count()
    numbered.unpersist()
    found.unpersist()
    return Read(graph, unreadable)


def _numbered(spark: "SparkSession", found: "DataFrame") -> "DataFrame":
    """The names of all nodes, numbered in their order: that of UTF-8 is that of Python."""
    names = found.select(f.col("source").alias("name")).union(found.select("target"))
    ordered = names.where("name is not null").distinct().orderBy("name")
    return spark.createDataFrame(ordered.rdd.map(tuple).keys().zipWithIndex(), _NUMBERS, verifySchema=False).persist()


def _rows(found: "DataFrame", numbered: "DataFrame") -> Iterator[Row]:
    """What is known of each node, in the order of their numbers."""
    listed = _seen_from_both_ends(found, numbered).groupBy("number").agg(*map(f.expr, _LISTS))
    for each in numbered.join(listed, "number", "left").orderBy("number").toLocalIterator(prefetchPartitions=True):
        if each.out is None:
            yield Row(each.name, (), (), 0)
        else:
            yield Row(each.name, each.out, each.back, together(int(each.whole), int(each.rest)))


def _seen_from_both_ends(found: "DataFrame", numbered: "DataFrame") -> "DataFrame":
    """Two rows for each edge: at its source, which it leaves, and at its target; nodes by their numbers."""
    sources, targets = numbered.toDF("source", "near"), numbered.toDF("target", "far")
    edges = found.join(sources, "source").join(targets, "target")
    both = (_end("near", "far", leaves="true"), _end("far", "near", leaves="false"))
    return edges.select(f.expr(f"inline(array({', '.join(both)}))"), "whole", "rest")


def _end(node: str, other: str, leaves: str) -> str:
    return f"struct({node} as number, {other} as other, {leaves} as leaves)"
