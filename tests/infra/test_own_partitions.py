"""Each function may touch only its own partitions: what the synthesized policies say, decided by an evaluator."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.dynamodb.keys import Partitions
from edgewise.dynamodb.schema import INDEXES
from functions.catalog import SYSTEMS
from functions.system import Allowed
from tests.infra import iam
from tests.infra.conftest import CHECKED, TOLD, Deployment
from tests.infra.iam import Request

COUNTED = "BILL CARRIER CUSTOMER DEVICE DOCUMENT EQUIPMENT GAME INVOICE NODE PLACE PLAYER READER ROOM USER"
STORED = "CHAT MESSAGE-ID ONCE RESIDENT"
DIRECTORIES = "GSI1:ALL_EQUIPMENT GSI1:CUSTOMERS GSI1:DEVICES GSI1:GAMES GSI1:PLAYERS GSI1:ROOMS GSI1:ROOT_PLACES"
# The partitions of the histories of sharded lists.
LISTS = "AT FIND OPEN_ORDERS AWARD INVOICES"
SET_ASIDE = "QUARANTINE INCOMPLETE REGISTER"
# Of each function: where it writes, where it reads besides, and where it queries the indexes.
# Where the sources of aggregates are found.
QUERIED = (
    "GSI1:AT GSI1:CHAT GSI1:FIND GSI1:INVOICES GSI1:OPEN_ORDERS GSI2:BILL GSI2:CUSTOMER GSI2:LINKS GSI2:ROOM"
    " GSI2:USER GSI3:AWARD GSI3:LEADERBOARD GSI3:OPEN"
)
PARTITIONS: dict[str, tuple[str, str, str]] = {
    "api": ("", "", ""),
    "telemetry": ("DEVICE", "", "GSI1:DEVICES"),
    "chat": ("CHAT MESSAGE-ID ROOM", "USER", "GSI1:ROOMS GSI1:CHAT GSI2:ROOM GSI2:USER"),
    "places": ("RESIDENT AT", "PLACE", "GSI1:AT GSI1:ROOT_PLACES"),
    "billing": ("BILL INVOICE INVOICES", "", "GSI1:INVOICES GSI2:BILL"),
    "graph": ("NODE FIND UNFINISHED", "CURRENT", "GSI1:FIND GSI2:LINKS"),
    "walks": ("", "NODE RANK CURRENT SUMMARIES", ""),
    "orders": ("CUSTOMER OPEN_ORDERS", "", "GSI1:CUSTOMERS GSI1:OPEN_ORDERS GSI2:CUSTOMER GSI3:OPEN"),
    "games": ("PLAYER AWARD", "GAME", "GSI1:GAMES GSI1:PLAYERS GSI3:AWARD GSI3:LEADERBOARD"),
    "audits": ("EQUIPMENT ONCE", "", "GSI1:ALL_EQUIPMENT"),
    "documents": ("DOCUMENT ONCE", "READER", ""),
    "checks": ("", "CHECK", "GSI1:CHECKS"),
    "push": ("TICKET", "", ""),
    "pusher": ("SUBSCRIBERS", "DEVICE USER ROOM PLACE NODE RANK CURRENT SUMMARIES", ""),
    "search": ("", "CHAT CUSTOMER DEVICE DOCUMENT NODE PLACE", ""),
    "indexer": ("", "CHAT CUSTOMER DEVICE DOCUMENT NODE PLACE", ""),
    "outlet": ("", "", ""),
    "socket": ("CONNECTION SUBSCRIBERS", "", ""),
    "socket_authorizer": ("TICKET", "", ""),
    "socket_sweeper": ("CONNECTION SUBSCRIBERS", "", "GSI1:CONNECTIONS"),
    "operations": (
        "",
        f"{COUNTED} RANK {SET_ASIDE} {STORED} {LISTS} CHECK CHECKS CURRENT SUMMARIES UNFINISHED FRESHNESS",
        f"{QUERIED} {DIRECTORIES} GSI1:CHECKS GSI1:EMPTIED GSI1:QUARANTINED GSI1:INCOMPLETES",
    ),
    "quarantine": (f"{COUNTED} RANK {SET_ASIDE} UNFINISHED", STORED, "GSI1:QUARANTINED GSI2:BILL GSI2:LINKS"),
    "edge_aggregator": (f"{COUNTED} RANK {SET_ASIDE} FRESHNESS", STORED, ""),
    "cascade": (f"{COUNTED} RANK {SET_ASIDE} UNFINISHED FRESHNESS", STORED, "GSI1:SUBSCRIBED GSI2:BILL GSI2:LINKS"),
    "last_line": (f"{COUNTED} RANK {SET_ASIDE} UNFINISHED", STORED, "GSI2:BILL GSI2:LINKS"),
    "heartbeat": ("HEARTBEAT FRESHNESS", "", ""),
    "sweeper": (f"{COUNTED} INCOMPLETE", f"REGISTER {STORED}", "GSI1:EMPTIED GSI1:INCOMPLETES"),
    "batch_run": ("CHECK CHECKS", "", "GSI1:CHECKS"),
    "batch_verify": ("", f"{COUNTED} RANK {SET_ASIDE} {STORED} CHECKS", QUERIED),
    "batch_publish": ("NODE CURRENT SUMMARIES UNFINISHED", "CHECK CHECKS", ""),
    "batch_repair": (
        f"{COUNTED} RANK {SET_ASIDE} {STORED} CHECK CONNECTION SUBSCRIBERS",
        f"CHECKS {LISTS}",
        "GSI1:QUARANTINED",
    ),
    "redrive": (
        f"{COUNTED} RANK {SET_ASIDE} {LISTS} UNFINISHED",
        STORED,
        f"{QUERIED} GSI1:QUARANTINED GSI1:INCOMPLETES",
    ),
}
# What is a partition of its own, and not a name that others go on from.
SINGLE = {
    "REGISTER": "QUARANTINE",
    "QUARANTINED": "QUARANTINE",
    "INCOMPLETES": "INCOMPLETE",
    "CHECKS": "CHECK",
    "CURRENT": "SUMMARIES",
    "REVOCATIONS": "REVOCATIONS",
    "FRESHNESS": "FRESHNESS",
    "UNFINISHED": "UNFINISHED",
    "SUBSCRIBED": "SUBSCRIBED",
    "CONNECTIONS": "CONNECTIONS",
    "DEVICES": "DEVICE",
    "ROOMS": "ROOM",
    "ROOT_PLACES": "PLACE",
    "CUSTOMERS": "CUSTOMER",
    "GAMES": "GAME",
    "PLAYERS": "PLAYER",
    "ALL_EQUIPMENT": "EQUIPMENT",
}
# Whoever lets users in reads whose tokens were taken back.
ADMITTING = {system.name for system in SYSTEMS if system.name != "api"} | {
    "socket",
    "socket_authorizer",
    "socket_sweeper",
}
PARTITIONS |= {
    name: (writes, f"{reads} REVOCATIONS", queried)
    for name, (writes, reads, queried) in PARTITIONS.items()
    if name in ADMITTING
}
# Whoever shows aggregates says how fresh they are, and may let somebody wait; what is pushed says it too.
SHOWING = {"telemetry", "chat", "places", "billing", "graph", "walks", "orders", "games", "audits", "documents"}
PARTITIONS |= {
    name: (f"{writes} HEARTBEAT" if name in SHOWING else writes, f"{reads} FRESHNESS", queried)
    for name, (writes, reads, queried) in PARTITIONS.items()
    if name in SHOWING | {"pusher", "operations"}
}
# Whoever serves routes, or answers frames, or sends answers, notes what callers have taken.
PARTITIONS |= {
    name: (f"{writes} RATE", reads, queried)
    for name, (writes, reads, queried) in PARTITIONS.items()
    if name in {system.name for system in SYSTEMS} - {"api"} | {"socket", "pusher"}
}
TOUCHED = sorted({name for each in PARTITIONS.values() for names in each[:2] for name in names.split()})
LISTED = sorted({name for *_, queried in PARTITIONS.values() for name in queried.split()})
STATEMENTS = ("PartiQLInsert", "PartiQLUpdate")
READS = ("Query", "GetItem", "BatchGetItem")
WRITES = ("PutItem", "DeleteItem", "BatchWriteItem", "ConditionCheckItem", *STATEMENTS)
NEVER = ("Scan", "UpdateItem", "PartiQLSelect", "PartiQLDelete")
# Lambda's role on AWS: the sum of its inline policies, white space not counted.
IAM_LIMIT = 10_240
ARN = "arn:aws:dynamodb:ap-southeast-1:123456789012:table/edgewise-a-long-stage-table-TableCD117FA1-1ABCDEFGHIJKLM"


def key(name: str) -> str:
    """A partition key of this name."""
    return SINGLE.get(name, f"{name}#x")


@pytest.fixture(scope="module", params=["dev", "prod"])
def stage(request: pytest.FixtureRequest, deployment: Callable[..., Deployment]) -> Deployment:
    return deployment(request.param, CHECKED, push=True, search="embedded", outlet=TOLD)


def test_who_belongs_to_no_system_is_spelled_out(dev: Deployment) -> None:
    assert set(dev.functions()) - {system.name for system in SYSTEMS} <= set(PARTITIONS)


@pytest.mark.parametrize("name", PARTITIONS)
def test_single_keys(name: str, stage: Deployment) -> None:
    given, (writes, reads, queried) = iam.statements(stage, name), PARTITIONS[name]
    granted = {action.partition(":")[2] for one in given for action in iam.listed(one["Action"])}
    for partition in [*TOUCHED, "UNKNOWN", "", "device"]:
        for action in READS:
            wanted = action in granted and partition in f"{writes} {reads}".split()
            if action == "Query" and not _queries_the_table(given):
                wanted = False
            assert iam.allows(given, Request(action, (key(partition),))) == wanted, (action, partition)
        for action in WRITES:
            wanted = action in granted and partition in writes.split()
            assert iam.allows(given, Request(action, (key(partition),))) == wanted, (action, partition)
    for each in [*LISTED, "GSI1:UNKNOWN"]:
        index, _, partition = each.partition(":")
        asked = Request("Query", (key(partition),), f"table/index/{index}")
        assert iam.allows(given, asked) == (each in queried.split()), each


@pytest.mark.parametrize("name", PARTITIONS)
def test_one_foreign_key_refuses_a_batch_or_transaction(name: str, stage: Deployment) -> None:
    given, (writes, reads, _) = iam.statements(stage, name), PARTITIONS[name]
    for action, own in [(action, f"{writes} {reads}") for action in READS] + [(action, writes) for action in WRITES]:
        keys = tuple(map(key, own.split()))
        for foreign in {*TOUCHED, "UNKNOWN"} - set(own.split()):
            assert not iam.allows(given, Request(action, (*keys, key(foreign)))), (action, foreign)
        if keys and iam.allows(given, Request(action, keys[:1])):
            assert iam.allows(given, Request(action, keys)), action


@pytest.mark.parametrize("name", PARTITIONS)
def test_a_request_that_tells_no_key_is_refused(name: str, stage: Deployment, local: Deployment) -> None:
    """ForAllValues holds for it. The emulator tells IAM no keys at all, so there it must be allowed."""
    resources = ["table", *(f"table/index/{index.name}" for index in INDEXES)]
    asked = [Request(action, None, resource) for resource in resources for action in (*READS, *WRITES, *NEVER)]
    assert not any(iam.allows(iam.statements(stage, name), request) for request in asked)
    if name not in ("api", "last_line", "outlet"):
        assert any(iam.allows(iam.statements(local, name), request) for request in asked)


@pytest.mark.parametrize("name", PARTITIONS)
def test_nobody_has_rights_that_keys_do_not_limit(name: str, stage: Deployment) -> None:
    """But for one: the indexer may learn which items there are, and nothing else of them."""
    for one in iam.statements(stage, name):
        if one["Action"] == "dynamodb:Scan":
            assert name == "indexer"
            assert one["Condition"] == {
                "ForAllValues:StringEquals": {"dynamodb:Attributes": ["PK", "SK", "Type"]},
                "StringEquals": {"dynamodb:Select": "SPECIFIC_ATTRIBUTES"},
            }
        elif any(iam.resource_name(resource).startswith("table") for resource in iam.listed(one["Resource"])):
            assert set(one["Condition"]) == {"ForAllValues:StringLike", "Null"}


def test_only_these_write_by_statements(stage: Deployment) -> None:
    granted = {
        name
        for name in stage.functions()
        for one in iam.statements(stage, name)
        if {f"dynamodb:{action}" for action in STATEMENTS} & set(iam.listed(one["Action"]))
    }
    assert granted == {"edge_aggregator", "cascade", "batch_repair", "telemetry"}


def test_no_system_touches_what_another_one_writes(checked: Deployment) -> None:
    """Also of a system that is not spelled out here. Walks read the graph, and write nothing.

    Three systems are about all others: what these may touch is spelled out. So is it of the proof (test_faults.py).
    """
    about_others = {"operations", "quarantine", "search"}
    assert about_others <= PARTITIONS.keys()
    for system in (each for each in SYSTEMS if each.name not in about_others | {"proof"}):
        given = iam.statements(checked, system.name)
        own = {*system.rights.writes, *system.rights.reads, *(kind.partitions for kind in system.kinds)}
        others = {one for each in SYSTEMS for one in each.rights.writes if one not in own}
        assert not [
            (action, one)
            for one in others
            for action in (*READS, *WRITES)
            if iam.allows(given, Request(action, (f"{_name(one)}#x",)))
        ]


@pytest.mark.parametrize("name", PARTITIONS)
def test_policies_fit_into_a_role(name: str, stage: Deployment) -> None:
    def resolved(value: object) -> object:
        return [ARN for _ in iam.listed(value)]

    given = [{**one, "Resource": resolved(one["Resource"])} for one in iam.statements(stage, name)]
    assert len(json.dumps({"Version": "2012-10-17", "Statement": given}, separators=(",", ":"))) < IAM_LIMIT / 2


def test_patterns_have_one_wildcard_at_their_end(dev: Deployment) -> None:
    for pattern in _patterns(dev):
        assert pattern.rstrip("*").isascii()
        assert not set("*?$") & set(pattern.removesuffix("#*")), pattern


@given(st.sampled_from(TOUCHED), st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_no_id_breaks_out_of_its_partitions(name: str, components: list[str]) -> None:
    """Whatever users write: wildcards, delimiters, other partitions' names."""
    made = Partitions(name)(*components)
    mine = [{"Effect": "Allow", "Action": "dynamodb:GetItem", "Resource": "table", "Condition": _only(name)}]
    assert iam.allows(mine, Request("GetItem", (made,)))
    for other in set(TOUCHED) - {name}:
        theirs = [{**mine[0], "Condition": _only(other)}]
        assert not iam.allows(theirs, Request("GetItem", (made,))), other


@cache
def _only(name: str) -> dict[str, dict[str, list[str]]]:
    return {"ForAllValues:StringLike": {iam.KEYS: [f"{name}#*"]}}


def _queries_the_table(given: Sequence[iam.Statement]) -> bool:
    return any(
        "dynamodb:Query" in iam.listed(one["Action"]) and "table" in map(iam.resource_name, iam.listed(one["Resource"]))
        for one in given
    )


def _patterns(deployment: Deployment) -> Iterator[str]:
    for name in deployment.functions():
        for one in iam.statements(deployment, name):
            yield from iam.listed(one.get("Condition", {}).get("ForAllValues:StringLike", {}).get(iam.KEYS, []))


def _name(one: Allowed | Partitions | str) -> str:
    return one.name if isinstance(one, Partitions) else str(one)
