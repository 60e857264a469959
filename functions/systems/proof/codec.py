"""Items of the proof: what is asked for, the log, notes of batches, and plain sums."""

import json
from dataclasses import asdict
from typing import Any

from edgewise import Item, Millis
from edgewise.dynamodb.attributes import integer, key_item, n, s, string
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.times import HOUR, SECOND
from functions.systems.proof import keys
from functions.systems.proof.entity import Asked, Batch, Carries, Covered, Done, Fault, Noted, Number, Watch

ASKED, DONE, NOTED, PLAIN = "PROOF_ASKED", "PROOF_DONE", "PROOF_NOTED", "PROOF_PLAIN"
# How long the log, notes and plain sums are kept.
KEPT: Millis = HOUR


def asked_item(asked: Asked) -> Item:
    """What is asked for, as its next version."""
    told = {
        "watch": asdict(asked.watch) if asked.watch else None,
        "faults": [asdict(each) for each in asked.faults],
        "slow_until": asked.slow_until,
    }
    return key_item(keys.ASKED) | {"Type": s(ASKED), "Version": n(asked.version + 1), "Asked": s(json.dumps(told))}


def asked(item: Item | None) -> Asked:
    """The inverse of asked_item; None: nothing was ever asked for."""
    if item is None:
        return Asked()
    told = json.loads(string(item["Asked"]))
    watch = told["watch"] and Watch(
        **told["watch"] | {"numbers": tuple(Number(*each) for each in told["watch"]["numbers"])}
    )
    faults = tuple(Fault(**each) for each in told["faults"])
    return Asked(integer(item["Version"]), watch, faults, told["slow_until"])


def done_item(done: Done) -> Item:
    """A line of the log; it expires."""
    told = s(json.dumps(asdict(done)))
    return key_item(keys.done(done.at, done.fault.id)) | {"Type": s(DONE), "Done": told} | _expiry(done.at)


def done(item: Item) -> Done:
    """The inverse of done_item."""
    told = json.loads(string(item["Done"]))
    return Done(**told | {"fault": Fault(**told["fault"])})


def noted_item(watch: str, batch: Batch) -> Item:
    """The notes of a batch; they expire."""
    key = keys.noted(watch, batch.at, batch.shard, batch.records[0].sequence, batch.records[-1].sequence)
    told = [_plain(each) for each in batch.records]
    return key_item(key) | {
        "Type": s(NOTED),
        "At": n(batch.at),
        "Shard": s(batch.shard),
        "Records": s(json.dumps(told, separators=(",", ":"))),
        **_expiry(batch.at),
    }


def noted(item: Item) -> Batch:
    """The inverse of noted_item."""
    records = tuple(_noted(each) for each in json.loads(string(item["Records"])))
    return Batch(integer(item["At"]), string(item["Shard"]), records)


def plain_expiry(at: Millis) -> Item:
    """What a plain sum has beside its sum."""
    return {"Type": s(PLAIN)} | _expiry(at)


def _plain(noted: Noted) -> Any:
    told = [noted.sequence, dict(noted.counts), dict(noted.groups)]
    if (carries := noted.carries) is None:
        return told
    ranges = [[each.sequence, sorted(each.missing)] for each in (carries.before, carries.after)]
    return [*told, carries.shard, carries.group, *ranges]


def _noted(told: Any) -> Noted:
    sequence, *by_position = told[:3]
    counts, groups = ({int(position): each for position, each in found.items()} for found in by_position)
    carries = None
    if carried := told[3:]:
        shard, group, *ranges = carried
        carries = Carries(shard, group, *(Covered(number, frozenset(missing)) for number, missing in ranges))
    return Noted(sequence, counts, groups, carries)


def _expiry(at: Millis) -> Item:
    return {TTL_ATTRIBUTE: n((at + KEPT) // SECOND)}
