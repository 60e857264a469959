"""Access patterns of the proof, in stages with faults."""

import json

from docs.patterns.pattern import BatchGet, Read, Write
from edgewise import Put, Table
from edgewise.aggregates import keys as aggregate_keys
from edgewise.stream import quarantine_keys
from edgewise.times import DAY, SECOND, from_rfc_3339
from functions.systems.orders.system import CUSTOMER
from functions.systems.proof import codec, keys
from functions.systems.proof.entity import Asked, Batch, Done, Fault, Noted, Number, Watch

_AT = from_rfc_3339("2018-08-29T12:00:00.000Z")
_ADMIN = ("admin",)
_ABOUT, _CELL = CUSTOMER("Padma"), "Orders"
_WATCH = Watch("0a1b2c3d", _AT, _AT + 36_500 * DAY, (Number(json.dumps(_ABOUT.plain), _CELL),), plain=True)


def _watched(table: Table) -> None:
    table.write(Put(codec.asked_item(Asked(watch=_WATCH))))
    table.write(Put(codec.done_item(Done(Fault("f1", "kill", _AT), _AT, "s", "killed after write 3 of 7 or more"))))
    table.write(Put(codec.noted_item(_WATCH.id, Batch(_AT, "s", (Noted(7, {0: 1}),)))))


READS = (
    Read(
        "how watched numbers compare with what was delivered",
        "GET /proof",
        {},
        {},
        [
            keys.ASKED,
            BatchGet([aggregate_keys.of(_ABOUT), keys.plain(_WATCH.id, 0)], consistent=True),
            keys.notes(_WATCH.id, _AT - SECOND),
            quarantine_keys.REGISTER,
            keys.log(1),
        ],
        3.5,
        _watched,
        bound="1 for each number and each plain sum, 1 per 4 KB of notes of what they may lack, how far the stream is",
        groups=_ADMIN,
    ),
    Read(
        "a run in memory, the same for the same seed and script (100 units of the caller's rate)",
        "GET /proof/run",
        {},
        {"seed": "41", "script": "12k"},
        [],
        0,
        groups=_ADMIN,
    ),
)
WRITES = (
    Write(
        "watch numbers for half a minute",
        "PUT /proof/watch",
        {},
        {"numbers": [{"kind": "CUSTOMER", "dimensions": ["Padma"], "cell": _CELL}], "plain": True},
        {"GetItem": 1, "PutItem": 1},
        "1 per KB of names; meanwhile the consumer takes 1 per KB of notes of each batch, and 1 for each number that a "
        "plain ADD counts",
        groups=_ADMIN,
    ),
    Write(
        "break the consumer",
        "POST /proof/faults",
        {},
        {"kind": "kill"},
        {"GetItem": 1, "PutItem": 1},
        "1; whoever does it takes 4: what is still asked for and a line of the log, in a transaction, each twice",
        groups=_ADMIN,
    ),
)
