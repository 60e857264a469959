"""The local stream delivers as the simulator does, rule by rule; these rules are AWS's, by tests/simulator."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from delivery import Mapping
from delivery.mapping import DAY, PAYLOAD
from delivery.reader import LONGEST_PAUSE
from local.stream import lane
from tests.local.streaming import Local, Simulated, told
from tests.simulator.support import choking_on, failing_with, item, numbers

Story = Callable[[Simulated | Local], None]
HOUR = 3600


def write(to: Simulated | Local, sorts: Iterable[int], *, text: str = "") -> None:
    for number in sorts:
        to.put(item(f"p{number % 5}", number, Text={"S": text}, Even={"BOOL": number % 2 == 0}))


def at_once(to: Simulated | Local) -> None:
    write(to, range(20))


def over_time(to: Simulated | Local) -> None:
    """Records within one window, and in later ones, with a pause of which nobody hears anything."""
    for number in range(12):
        write(to, [number])
        to.clock.advance(4)
    to.clock.advance(100)
    write(to, range(12, 16))


def splitting(to: Simulated | Local) -> None:
    write(to, range(10))
    to.stream.split(to.stream.open_shards[0])
    write(to, range(10, 20))
    to.stream.roll_over(to.stream.open_shards[-1])
    write(to, range(20, 30))


def for_hours(to: Simulated | Local) -> None:
    """Shards roll over after four hours."""
    for number in range(12):
        write(to, [number])
        to.clock.advance(HOUR)


def large(to: Simulated | Local) -> None:
    """Three of them are more than Lambda lets pass at once."""
    write(to, range(4), text="x" * (PAYLOAD // 5 * 2))


def counting(event: dict[str, Any]) -> Any:
    """The documentation's use of a window's state."""
    return {"state": {"seen": event.get("state", {}).get("seen", 0) + len(event["Records"])}}


def slow_to_learn(times: int) -> Callable[[], Callable[[dict[str, Any]], Any]]:
    """Raises so many times for each batch, and for each end of a window, before it answers."""

    def made() -> Callable[[dict[str, Any]], Any]:
        seen = Counter[str]()

        def answer(event: dict[str, Any]) -> Any:
            seen[batch := f"{numbers(event)} {event.get('shardId')} {event.get('window')}"] += 1
            if seen[batch] <= times:
                raise ValueError(batch)
            return counting(event)

        return answer

    return made


def always(answer: Callable[[dict[str, Any]], Any]) -> Callable[[], Callable[[dict[str, Any]], Any]]:
    return lambda: answer


EVEN = {"dynamodb": {"NewImage": {"Even": {"BOOL": [True]}}}}
PARTLY = Mapping(batch_size=6, report_batch_item_failures=True, maximum_retry_attempts=3)
RULES: dict[str, tuple[Mapping, Story, Any]] = {
    "a batch ends at its size": (Mapping(batch_size=3), at_once, always(counting)),
    "a batch ends before its payload is too large": (Mapping(batch_size=10), large, always(counting)),
    "a batch waits for more records": (Mapping(batch_size=5, batching_window=6), over_time, always(counting)),
    "a window passes its state on, and ends": (Mapping(batch_size=3, tumbling_window=20), over_time, always(counting)),
    "a window ends with its shard": (Mapping(batch_size=3, tumbling_window=60), splitting, always(counting)),
    "an answer in a window must have a state": (
        Mapping(batch_size=3, tumbling_window=20, maximum_retry_attempts=2),
        at_once,
        always(lambda _: {}),
    ),
    "a state that is too large ends its window": (
        Mapping(batch_size=3, tumbling_window=60),
        over_time,
        always(lambda event: {"state": {"text": "x" * 2**20} if event["Records"] else {}}),
    ),
    "filters leave records out": (Mapping(batch_size=3, filters=[EVEN]), at_once, always(counting)),
    "children come after their parents": (Mapping(batch_size=4), splitting, always(counting)),
    "shards roll over": (Mapping(batch_size=4, tumbling_window=30), for_hours, always(counting)),
    "a batch that failed comes again, before all behind it": (Mapping(batch_size=4), at_once, slow_to_learn(2)),
    "a batch that failed has the state that it had": (
        Mapping(batch_size=4, tumbling_window=20),
        over_time,
        slow_to_learn(1),
    ),
    "a batch that failed is halved": (
        Mapping(batch_size=8, bisect_batch_on_function_error=True, maximum_retry_attempts=1),
        at_once,
        always(choking_on(7)),
    ),
    "a report of one record repeats it and what is behind": (
        PARTLY,
        at_once,
        always(failing_with(9)),
    ),
    "a report splits a batch": (
        replace(PARTLY, bisect_batch_on_function_error=True),
        at_once,
        always(failing_with(9)),
    ),
    "without the setting, a report says nothing": (Mapping(batch_size=6), at_once, always(failing_with(9))),
    "what was tried too often goes to a queue": (
        Mapping(batch_size=4, maximum_retry_attempts=2, on_failure="sqs"),
        at_once,
        always(choking_on(7)),
    ),
    "what is too old goes to a bucket, with its event": (
        Mapping(batch_size=4, tumbling_window=20, maximum_record_age=120, on_failure="s3"),
        over_time,
        always(lambda event: choking_on(7)(event) or counting(event)),
    ),
    "what is left when the stream forgets it goes nowhere": (
        Mapping(batch_size=4, maximum_record_age=2 * DAY, on_failure="sqs"),
        at_once,
        always(choking_on(7)),
    ),
}


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("rule", RULES)
def test_same_records_same_mapping_same_answers_same_invocations(
    rule: str, shards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane, "LONGEST_PAUSE", LONGEST_PAUSE)
    mapping, story, answers = RULES[rule]
    simulated, local = Simulated(mapping, answers(), shards), Local(mapping, answers(), shards)
    for each in (simulated, local):
        story(each)
        each.drain()
    assert sum(map(len, local.handler.events.values())) > 1
    assert invocations(local) == invocations(simulated)
    assert told(local.documents) == told(simulated.documents)
    assert local.clock.now == simulated.clock.now


def invocations(delivered: Simulated | Local) -> list[list[Any]]:
    """Those of each shard in their order: between two shards there is none.

    An event without a window does not name its shard: its first record does.
    """
    shard_of = {str(record.sequence): shard.id for shard in delivered.stream.shards for record in shard.records}
    found: dict[str, list[Any]] = {shard.id: [] for shard in delivered.stream.shards}
    for shard_id, events in delivered.handler.events.items():
        for event in events:
            first = event["Records"][0]["dynamodb"]["SequenceNumber"] if not shard_id else None
            found[shard_of[first] if first else shard_id].append(event)
    return list(found.values())
