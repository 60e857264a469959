"""The rights of each function on the table: only on its own partitions, as the systems declare them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from edgewise.aggregates.keys import CARRIERS, EMPTIED
from edgewise.alerting import ALERT, ALL_RAISED
from edgewise.dynamodb.schema import BY_TARGET, BY_VALUE, INDEXES, Index
from edgewise.freshness import keys as freshness_keys
from edgewise.stream import incomplete_keys, quarantine_keys
from functions import directory, rates, revocations
from functions.catalog import CATALOG, SYSTEMS, WATCHED
from functions.push import keys as push_keys
from functions.routes import ROUTES, SHOWING
from functions.search import withdrawals
from functions.system import Allowed, Rights, System, united
from functions.systems.api.system import SYSTEM as API
from functions.systems.checks import keys as checks_keys
from functions.systems.graph import keys as graph_keys
from functions.systems.operations import families
from functions.systems.proof import keys as proof_keys

_NOTES: Final = (freshness_keys.UNFINISHED, withdrawals.WITHDRAWN)
_READING: Final = frozenset({"Query", "GetItem", "BatchGetItem"})
_FOLLOWED: Final = tuple(system for system in SYSTEMS if system.follow_ups)
_COUNTING: Final = tuple(system for system in SYSTEMS if system.kinds)


def _written(systems: Iterable[System]) -> Allowed:
    """What the systems write, but for the histories of their lists: only who adds to a list must know its shards.

    And but for notes, on follow-ups and on what was withdrawn, which are nobody's source.
    """
    return united(
        tuple(each for each in system.rights.writes if each not in system.lists and each not in _NOTES)
        for system in systems
    )


def _queried(systems: Iterable[System], index: Index) -> Allowed:
    return united(system.rights.queried.get(index, ()) for system in systems)


def _of_system(system: System) -> Rights:
    """The rights of a system's function: those that it declares, and reads of its aggregates and directories."""
    kept, queried = tuple(kind.partitions for kind in system.kinds), system.rights.queried
    listed = {BY_VALUE: tuple(map(directory.partition, system.directories))}
    each = {index: united([queried.get(index, ()), listed.get(index, ())]) for index in INDEXES}
    allowed = {index: partitions for index, partitions in each.items() if partitions}
    reads = united([system.rights.reads, kept, (freshness_keys.PARTITION,) if _shows(system) else ()])
    return replace(system.rights, reads=reads, queried=allowed)


def _shows(system: System) -> bool:
    """Whether it shows aggregates, and so says how fresh they are."""
    return any(route in SHOWING for route in ROUTES[system.name])


def _charging(rights: Rights) -> Rights:
    """The same for a function that callers call."""
    return _admitting(_noting(rights))


def _noting(rights: Rights) -> Rights:
    """The same for a function that notes what callers have taken."""
    actions = rights.actions if "PutItem" in rights.actions else (*rights.actions, "PutItem")
    return replace(rights, actions=actions, writes=(*rights.writes, rates.RATES))


def _beating(rights: Rights) -> Rights:
    """The same for a function that may wait for a change: it sends heartbeats, which tell when it is absorbed."""
    return replace(rights, writes=(*rights.writes, freshness_keys.HEARTBEATS))


def _admitting(rights: Rights) -> Rights:
    """The same for a function that lets users in: it reads whose tokens were taken back."""
    actions = rights.actions if "GetItem" in rights.actions else (*rights.actions, "GetItem")
    return replace(rights, actions=actions, reads=(*rights.reads, revocations.KEY.pk))


_AGGREGATES: Final = united([tuple(kind.partitions for kind in CATALOG.kinds.values()), (CARRIERS,)])
_RANKINGS: Final = united((of.partitions,) for kind in CATALOG.kinds.values() if (of := kind.ranked))
# Records that could not be decoded, and the notes on aggregates that lack them.
_SET_ASIDE: Final = (quarantine_keys.REGISTER.pk, quarantine_keys.SHARDS, incomplete_keys.NOTES)
_LISTED: Final = (quarantine_keys.LIST, incomplete_keys.LIST)
_COUNTED: Final = united([_AGGREGATES, _RANKINGS, _SET_ASIDE])
_FINISHED: Final = united(
    [_COUNTED, _written(_FOLLOWED), (ALERT.partitions, ALL_RAISED.partitions, freshness_keys.UNFINISHED)]
)
_ALL: Final = _written(_COUNTING)
_READS_AND_PUTS: Final = ("Query", "GetItem", "BatchGetItem", "PutItem")
_ALL_ACTIONS: Final = (*_READS_AND_PUTS, "DeleteItem", "ConditionCheckItem")

_STATEMENTS: Final = ("PartiQLInsert", "PartiQLUpdate")

_CONSUMER: Final = Rights(
    actions=(*_READS_AND_PUTS, *_STATEMENTS), writes=united([_COUNTED, (freshness_keys.PARTITION,)]), reads=_ALL
)
_CASCADE: Final = Rights(
    actions=_ALL_ACTIONS, writes=_FINISHED, reads=_ALL, queried={BY_TARGET: _queried(_FOLLOWED, BY_TARGET)}
)
# It also reads what anybody subscribes to, writes many items in a request, and tells how far it is.
_READER: Final = replace(
    _CASCADE,
    actions=(*_CASCADE.actions, *_STATEMENTS),
    writes=(*_CASCADE.writes, freshness_keys.PARTITION),
    queried={**_CASCADE.queried, BY_VALUE: (push_keys.SUBSCRIBED,)},
)
# What the answers that it sends are made of.
_PUSHER: Final = Rights(
    actions=("Query", "GetItem", "BatchGetItem", "DeleteItem"),
    writes=(push_keys.SUBSCRIBERS,),
    reads=united(_of_system(system).reads for system in SYSTEMS if system.live),
)
# Whatever people can find, as it is now, and the notes on what was withdrawn, which the indexer removes.
_FOUND: Final = united((each.partitions,) for each in WATCHED.kinds.values())
_SEARCH: Final = Rights(actions=("Query", "BatchGetItem"), reads=(*_FOUND, withdrawals.WITHDRAWN))
_INDEXER: Final = Rights(actions=("Query", "BatchGetItem", "DeleteItem"), writes=(withdrawals.WITHDRAWN,), reads=_FOUND)
_SOCKET: Final = Rights(
    actions=("GetItem", "PutItem", "DeleteItem"),
    writes=(push_keys.CONNECTIONS, push_keys.LISTENERS, push_keys.SUBSCRIBERS),
)
_SOCKET_SWEEPER: Final = Rights(
    actions=(*_SOCKET.actions, "BatchGetItem"), writes=_SOCKET.writes, queried={BY_VALUE: (push_keys.OPEN,)}
)
# Whatever has index entries, or copies something, may have to be put right.
_DERIVED: Final = united([_ALL, (ALERT.partitions, checks_keys.RUNS, push_keys.CONNECTIONS, push_keys.SUBSCRIBERS)])
_REPAIR: Final = replace(
    _CONSUMER,
    actions=(*_CONSUMER.actions, "ConditionCheckItem"),
    writes=united([_COUNTED, _DERIVED]),
    # The histories of sharded lists, too: they say in which shards items may be.
    reads=united([(checks_keys.LOCK.pk,), *(tuple(system.lists) for system in SYSTEMS)]),
    queried={BY_VALUE: (quarantine_keys.LIST,)},
)
_PUBLISH: Final = Rights(
    actions=("Query", "GetItem", "BatchGetItem", "PutItem", "BatchWriteItem", "DeleteItem"),
    writes=(graph_keys.NODES, graph_keys.GENERATIONS, graph_keys.CURRENT.pk, freshness_keys.UNFINISHED),
    reads=(checks_keys.LOCK.pk, checks_keys.RUNS),
)
_SWEEPER: Final = Rights(
    actions=(*_READS_AND_PUTS, "DeleteItem"),
    writes=united([_AGGREGATES, (incomplete_keys.NOTES,)]),
    # The sources of extremes, too.
    reads=united([_ALL, (quarantine_keys.REGISTER.pk,)]),
    queried={BY_VALUE: (EMPTIED, incomplete_keys.LIST)},
)
_HEARTBEAT: Final = Rights(
    actions=("Query", "PutItem", "BatchWriteItem"), writes=(freshness_keys.HEARTBEATS, freshness_keys.PARTITION)
)
# The rights of both stream consumers, for one record after the other, all access to an aggregate's sources, and the
# histories of sharded lists.
_REDRIVE: Final = replace(
    _CASCADE,
    writes=united([_FINISHED, *(tuple(system.lists) for system in SYSTEMS)]),
    queried={index: _queried(_COUNTING, index) for index in INDEXES}
    | {BY_VALUE: (*_queried(_COUNTING, BY_VALUE), *_LISTED)},
)
# Runs of the batch side, and the lock between them.
_BATCH_RUN: Final = Rights(
    actions=("GetItem", "PutItem", "DeleteItem", "BatchWriteItem"),
    writes=(checks_keys.LOCK.pk, checks_keys.RUNS),
    queried={BY_VALUE: (checks_keys.LIST,)},
)
# All sources of all aggregates, and nothing to write.
_VERIFY: Final = Rights(
    actions=("Query", "GetItem", "BatchGetItem"),
    reads=united([_COUNTED, _ALL, (checks_keys.LOCK.pk,)]),
    queried={index: _queried(_COUNTING, index) for index in INDEXES},
)
# Everything, for people who look at it; and nothing to write.
_OPERATIONS: Final = Rights(
    actions=_VERIFY.actions, reads=united([families.READ, (freshness_keys.PARTITION,)]), queried=families.QUERIED
)
# One record after the other takes the way of both stream consumers.
_QUARANTINE: Final = replace(_CASCADE, queried={**_CASCADE.queried, BY_VALUE: (quarantine_keys.LIST,)})
# Every number, how far it is, and which records are in quarantine; it writes what is asked for.
_PROOF: Final = Rights(
    actions=_READS_AND_PUTS,
    writes=(proof_keys.PROOF,),
    reads=united(
        [
            tuple(kind.partitions for kind in CATALOG.kinds.values()),
            (proof_keys.WATCHES, freshness_keys.PARTITION, quarantine_keys.REGISTER.pk),
        ]
    ),
)
# What it is asked for, the log, notes, and what a plain ADD counts.
_BREAKABLE: Final = replace(
    _CONSUMER,
    actions=(*_CONSUMER.actions, "UpdateItem"),
    writes=(*_CONSUMER.writes, proof_keys.PROOF, proof_keys.WATCHES),
)


RIGHTS: Final[Mapping[str, Rights]] = {
    **{
        system.name: _beating(_charging(_of_system(system))) if _shows(system) else _charging(_of_system(system))
        for system in SYSTEMS
    },
    "operations": _charging(_OPERATIONS),
    "quarantine": _charging(_QUARANTINE),
    API.name: Rights(),
    "proof": _charging(_PROOF),
    "edge_aggregator": _CONSUMER,
    "breakable_aggregator": _BREAKABLE,
    "cascade": _READER,
    "batch_repair": _REPAIR,
    "batch_publish": _PUBLISH,
    # The rights of the cascade, and the consumer's writes.
    "last_line": _CASCADE,
    "sweeper": _SWEEPER,
    "heartbeat": _HEARTBEAT,
    "redrive": _REDRIVE,
    "batch_run": _BATCH_RUN,
    "batch_verify": _VERIFY,
    "pusher": _noting(_PUSHER),
    "search": _charging(_SEARCH),
    "indexer": _INDEXER,
    # It is told what it puts on the bus.
    "outlet": Rights(),
    "socket": _charging(_SOCKET),
    "socket_authorizer": _admitting(Rights(actions=("GetItem", "DeleteItem"), writes=(push_keys.TICKETS,))),
    "socket_sweeper": _admitting(_SOCKET_SWEEPER),
}


def readable(rights: Rights) -> Allowed:
    """The partitions of the table that may be read, which include the written ones."""
    return united([rights.writes, rights.reads])


def split_actions(rights: Rights) -> tuple[Sequence[str], Sequence[str]]:
    """The actions that read, and the others. A condition check in a transaction counts as a write."""
    reading = [action for action in rights.actions if action in _READING]
    return reading, [action for action in rights.actions if action not in _READING]
