"""The one table: its keys, its three overloaded indexes and its stream, as values for both infra and tests."""

from dataclasses import dataclass
from typing import Any, Literal

PARTITION_KEY, SORT_KEY = "PK", "SK"
TTL_ATTRIBUTE = "ExpiresAt"
STREAM_VIEW = "NEW_AND_OLD_IMAGES"


@dataclass(frozen=True)
class Index:
    """A global secondary index: what it means, its key attributes, and the attributes it projects beside the keys."""

    name: str
    meaning: str
    partition_key: str
    sort_key: str
    sort_type: Literal["S", "N"]
    projected: tuple[str, ...]


# Projections are narrow on purpose: every projected attribute that changes costs one more write unit.
BY_VALUE = Index("GSI1", "find items by the values that they carry", "GSI1PK", "GSI1SK", "S", ("Type", "Text", "Data"))
# Weight and text are what edges are listed with.
BY_TARGET = Index(
    "GSI2", "the inverted index: who points at this", "GSI2PK", "GSI2SK", "S", ("Type", "Weight", "Text", "Data")
)
BY_NUMBER = Index("GSI3", "sorted by a number, sparse", "GSI3PK", "GSI3SK", "N", ("Type", "Data", "Lacks"))
INDEXES = (BY_VALUE, BY_TARGET, BY_NUMBER)
INDEX_KEYS = tuple(name for index in INDEXES for name in (index.partition_key, index.sort_key))


def create_table_request(table_name: str) -> dict[str, Any]:
    """The CreateTable request for engines without CloudFormation (tests, benchmarks): same keys, indexes and stream."""
    names = {PARTITION_KEY: "S", SORT_KEY: "S"}
    for index in INDEXES:
        names |= {index.partition_key: "S", index.sort_key: index.sort_type}
    return {
        "TableName": table_name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": _key_schema(PARTITION_KEY, SORT_KEY),
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in names.items()],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": index.name,
                "KeySchema": _key_schema(index.partition_key, index.sort_key),
                "Projection": _projection(index),
            }
            for index in INDEXES
        ],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": STREAM_VIEW},
    }


def _key_schema(partition_key: str, sort_key: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition_key, "KeyType": "HASH"},
        {"AttributeName": sort_key, "KeyType": "RANGE"},
    ]


def _projection(index: Index) -> dict[str, Any]:
    if not index.projected:
        return {"ProjectionType": "KEYS_ONLY"}
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(index.projected)}
