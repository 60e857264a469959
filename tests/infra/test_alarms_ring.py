"""Each alarm of a stage with everything, on what its functions and AWS count: it rings, tells once, and ends.

CloudWatch is that of tests/support/cloudwatch.py, and minutes pass by themselves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from infra.watches import CAUSES, GATHERED, WATCHES, Severity
from tests.infra import emitting
from tests.infra.alarm_world import HOUR, READERS, SOCKETS, Brings, Minute, World
from tests.infra.conftest import Deployment

MS = 60_000


@dataclass(frozen=True)
class Story:
    """What an alarm rings for. `trouble` in each minute for up to `rings` of them; it is over `ends` minutes later.

    `once`: what happens in one minute, and is no reason to ring; None: one event is. `silent`: it can't be followed by
    a quiet minute, since its numbers are there once an hour.
    """

    trouble: Brings
    rings: int
    ends: int
    once: Brings | None = None


def aged(minutes: int, *readers: str) -> Brings:
    def brings(_world: World, minute: Minute) -> None:
        minute.ages |= {reader: minutes * MS for reader in readers}

    return brings


def stopped(*readers: str) -> Brings:
    def brings(_world: World, minute: Minute) -> None:
        for reader in readers:
            del minute.ages[reader]

    return brings


def answered(answers: Mapping[int, int], took_ms: float = 20) -> Brings:
    def brings(_world: World, minute: Minute) -> None:
        minute.answers, minute.took_ms = {**minute.answers, **answers}, took_ms

    return brings


def waiting(queue: str, seconds: float) -> Brings:
    def brings(_world: World, minute: Minute) -> None:
        minute.waits[queue] = seconds

    return brings


def in_dead_letters(messages: int) -> Brings:
    def brings(_world: World, minute: Minute) -> None:
        minute.given_up = messages

    return brings


def untold(_world: World, minute: Minute) -> None:
    minute.untold = 1


def quarantined(level: int) -> Brings:
    def brings(_world: World, minute: Minute) -> None:
        minute.level = level

    return brings


def counted(function: str, counting: Callable[[], None]) -> Brings:
    return lambda world, _minute: world.count(function, counting)


def failing(*functions: str, errors: int = 10, each: int = 1) -> Brings:
    """Functions fail in each minute, or in each hour."""

    def brings(world: World, _minute: Minute) -> None:
        for function in functions:
            if world.now % each == 0:
                world.of_function(function, Errors=errors)

    return brings


def lost(reader: str, metric: str) -> Brings:
    return lambda world, _minute: world.of_mapping(reader, **{metric: 1})


def undelivered(function: str) -> Brings:
    return lambda world, _minute: world.of_function(function, DestinationDeliveryFailures=1)


def unchecked(_world: World, minute: Minute) -> None:
    minute.checked = False


def copies(end: str | None) -> Brings:
    def brings(_world: World, minute: Minute) -> None:
        minute.copies = end

    return brings


def refused(requests: int) -> Brings:
    return answered({401: requests // 2, 403: requests - requests // 2})


STORIES: Mapping[str, Story] = {
    # Three numbers of five minutes are there as long as one of the last five is.
    "consumer-silent": Story(stopped("consumer"), rings=5, ends=1, once=stopped("consumer")),
    "cascade-silent": Story(stopped("cascade"), rings=5, ends=1, once=stopped("cascade")),
    "readers-behind": Story(aged(16, "cascade"), rings=10, ends=10, once=aged(16, "cascade")),
    "readers-nearly-lose": Story(aged(12 * 60, "consumer"), rings=5, ends=5),
    "consumer-lost": Story(lost("consumer", "DroppedEventCount"), rings=5, ends=15),
    "cascade-lost": Story(undelivered("cascade"), rings=5, ends=15),
    "quarantine-floods": Story(
        counted("edge_aggregator", emitting.quarantining(50)),
        rings=1,
        ends=3,
        once=counted("edge_aggregator", emitting.quarantining(3)),
    ),
    # Five minutes and an hour, together: 400 of 12,400 are enough of the hour, 100 of 12,100 are not.
    "api-failing-now": Story(answered({503: 400}), rings=1, ends=HOUR),
    "api-failing-hour": Story(answered({503: 400}), rings=1, ends=HOUR, once=answered({503: 100})),
    "api-burning": Story(answered({503: 2}), rings=4 * HOUR, ends=3 * HOUR, once=answered({503: 400})),
    "table-differs": Story(counted("batch_run", emitting.checking(wrong=1)), rings=5, ends=15),
    "quarantine": Story(quarantined(1), rings=2 * HOUR, ends=2 * HOUR),
    "aggregates-lack": Story(counted("edge_aggregator", emitting.lacking(1)), rings=5, ends=15),
    "background-failing": Story(
        failing("heartbeat", errors=1), rings=2 * HOUR, ends=2 * HOUR, once=failing("heartbeat")
    ),
    "telemetry-waits": Story(waiting("telemetry", 700), rings=10, ends=10, once=waiting("telemetry", 700)),
    "telemetry-given-up": Story(in_dead_letters(1), rings=5, ends=5),
    "callers-refused": Story(refused(60), rings=10, ends=10, once=refused(1000)),
    "items-left-out": Story(counted("telemetry", emitting.leaving_out(1)), rings=HOUR, ends=3 * HOUR),
    "push-failing": Story(failing("socket"), rings=10, ends=10, once=failing("socket", errors=1000)),
    "search-lacks": Story(waiting("hints", 1500), rings=5, ends=5),
    # The last check was at the beginning; of 14 hours without one, CloudWatch sees the end two later.
    "checks-missing": Story(unchecked, rings=17 * HOUR, ends=9 * HOUR),
    # The last copy was at the beginning, as that check, and the next one after the trouble is six hours later at most.
    "copies-missing": Story(copies("Failed"), rings=9 * HOUR, ends=7 * HOUR),
    "release-failing": Story(answered({500: 1}), rings=2, ends=5, once=answered({500: 1})),
}


@pytest.fixture(scope="module")
def usual(checked: Deployment) -> Callable[[], World]:
    """A stage on which nothing has happened for six hours, anew."""
    world = World(checked)
    world.pass_minutes(6 * HOUR)
    assert world.watching.changes == []
    return world.again


def test_every_alarm_has_a_story() -> None:
    assert STORIES.keys() == WATCHES.keys()


@pytest.mark.parametrize("name", STORIES)
def test_it_rings_and_is_over(usual: Callable[[], World], name: str) -> None:
    story, world = STORIES[name], usual()
    for _ in range(story.rings):
        world.pass_minutes(1, story.trouble)
        if name in world.ringing():
            break
    assert name in world.ringing(), "it rings in time"
    world.pass_minutes(story.ends)
    assert world.ringing() == set(), "it is over in time, and nothing else rings"
    told = [(severity, state) for severity, alarm, state in world.told() if alarm == GATHERED.get(name, name)]
    severity = WATCHES[name].severity
    expected = [] if severity == Severity.DASHBOARD else [(severity, "ALARM"), (severity, "OK")]
    assert told == expected, "somebody is told of both, once"


@pytest.mark.parametrize("name", [name for name, story in STORIES.items() if story.once])
def test_what_happens_in_one_minute_rings_nothing(usual: Callable[[], World], name: str) -> None:
    story, world = STORIES[name], usual()
    assert story.once
    world.pass_minutes(1, story.once)
    world.pass_minutes(20)
    assert [each for each in world.watching.changes if each.alarm.endswith(name)] == []


@pytest.mark.parametrize(
    ("name", "brings"),
    [
        *(("consumer-lost", lost("consumer", metric)) for metric in ("OnFailureDestinationDeliveredEventCount",)),
        ("consumer-lost", undelivered("edge_aggregator")),
        ("consumer-lost", lambda world, _: world.of_function("last_line", AsyncEventsDropped=1)),
        ("cascade-lost", lost("cascade", "DroppedEventCount")),
        ("quarantine-floods", counted("cascade", emitting.quarantining(50))),
        ("readers-behind", aged(16, "consumer")),
        ("readers-nearly-lose", aged(12 * 60, "cascade")),
        ("table-differs", counted("batch_run", emitting.checking(unreadable=1))),
        ("copies-missing", copies(None)),
        ("search-lacks", counted("indexer", emitting.indexing(1))),
        ("telemetry-waits", waiting("events", 700)),
        ("telemetry-given-up", untold),
        ("background-failing", failing("sweeper", errors=1, each=HOUR)),
        *(("api-failing-now", answered({}, took_ms)) for took_ms in (5000, 9000)),
        *(("push-failing", failing(function)) for function in SOCKETS),
    ],
)
def test_each_metric_of_an_alarm_rings_it(usual: Callable[[], World], name: str, brings: Brings) -> None:
    world = usual()
    world.pass_minutes(STORIES[name].rings, brings)
    assert name in world.ringing()


@pytest.mark.parametrize(
    ("brings", "told"),
    [
        # Both mappings are off, and late when they are back.
        (stopped(*READERS), [("page", "readers-late")]),
        (aged(20, *READERS), [("page", "readers-late")]),
    ],
)
def test_one_cause_rings_once(usual: Callable[[], World], brings: Brings, told: list[tuple[str, str]]) -> None:
    world = usual()
    world.pass_minutes(30, brings)
    assert [(severity, name) for severity, name, state in world.told() if state == "ALARM"] == told


def test_who_is_paged_for_failures_is_so_while_they_go_on(usual: Callable[[], World]) -> None:
    """A burst that is over, and a trickle, are no reason to get up; an hour that was bad is none after five minutes."""
    burst, trickle, failing_still = usual(), usual(), usual()
    burst.pass_minutes(1, answered({503: 100}))
    burst.pass_minutes(HOUR)
    trickle.pass_minutes(HOUR, answered({503: 2}))
    assert burst.told() == trickle.told() == []
    failing_still.pass_minutes(20, answered({503: 20}))
    assert failing_still.told()[-1] == ("page", "api-failing", "ALARM")
    failing_still.pass_minutes(5)
    assert "api-failing-hour" in failing_still.ringing()
    assert ("page", "api-failing", "OK") in failing_still.told()


def test_a_composite_alarm_is_of_alarms_that_tell_nobody(checked: Deployment) -> None:
    alarms = World(checked).watching.alarms
    for name, cause in CAUSES.items():
        assert alarms[f"edgewise-prod-{name}"]["AlarmActions"]
        assert all("AlarmActions" not in alarms[f"edgewise-prod-{each}"] for each in cause.of)
