"""What Lambda does with a shard before and after an invocation: the same in simulated and in real time."""

from collections.abc import Callable

from delivery.answers import Accepted
from delivery.destination import Given
from delivery.faults import Fault
from delivery.mapping import S3, Mapping
from delivery.reader import Batch, Reader


def begin(reader: Reader, batch: Batch) -> None:
    """An invocation with this batch begins."""
    batch.invocations, batch.raised = batch.invocations + 1, False
    reader.busy = True


def settle(
    reader: Reader, batch: Batch, answer: Accepted | None, now: float, fault: Fault | None, back: Callable[[], int]
) -> None:
    """The invocation has ended; `answer`: None if it failed. REPEATED, REWOUND and ANSWER_LOST strike here.

    `back`: by how many records a lost checkpoint goes back.
    """
    reader.busy, replaying = False, not reader.at_frontier
    if answer is None or fault is Fault.ANSWER_LOST:
        reader.failed(batch, now)
    elif fault is not Fault.REPEATED:
        reader.accepted(batch, answer, now)
        if fault is Fault.REWOUND and not replaying:
            reader.rewind(back())


def given(reader: Reader, batch: Batch, reason: str, mapping: Mapping, arn: str) -> Given | None:
    """What the mapping's destination is sent of a batch that is given up; None: there is none, or no record."""
    records = reader.records_of(batch)
    if not (mapping.on_failure and records):
        return None
    event = reader.event(batch, arn) if mapping.on_failure == S3 else None
    return Given(reader.shard.id, arn, records, reason, batch.invocations, batch.raised, event)
