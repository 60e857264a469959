"""Materialized edges: aggregates that are sources of further aggregates."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """A materialized edge as a source of further aggregates: how many things it stands for."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    count: int
