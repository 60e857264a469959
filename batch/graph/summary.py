"""What the job writes of the graph as a whole."""

from typing import Any

from batch.exports import Export
from batch.graph.lines import Whole
from batch.graph.skeleton import Read


def summary(run: str, export: Export, read: Read, whole: Whole, seconds: float) -> dict[str, Any]:
    """The summary of a run."""
    return {
        "run": run,
        "instant": export.instant,
        "items": export.items,
        "unreadable": read.unreadable,
        "nodes": len(read.graph.nodes),
        "edges": len(read.graph.out.ends),
        "components": len(set(whole.components)),
        "seconds": round(seconds, 1),
    }
