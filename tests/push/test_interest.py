"""What anybody subscribes to is known after a refresh, and reading it costs little."""

import pytest

from edgewise.times import SECOND
from functions.push import codec
from functions.push.entity import LONGEST, Subscription
from functions.push.interest import LATEST, OVERLAP, REFRESH, Interest
from functions.replay.memory import MemoryTable
from tests.push.listening import RATE
from tests.support.streams import PRESENT, StreamedTable


def subscribed(table: MemoryTable | StreamedTable, topic: str, since: int = PRESENT) -> None:
    each = Subscription(topic, "c", "amy", "/devices/1", since, since + LONGEST, RATE)
    table.put_many([codec.subscription_item(each)])


def test_it_is_known_after_the_next_refresh_and_not_before() -> None:
    table, interest = MemoryTable(), Interest()
    interest.refresh(table, PRESENT)
    subscribed(table, "DEVICE#1")
    interest.refresh(table, PRESENT + REFRESH - 1)
    assert "DEVICE#1" not in interest
    interest.refresh(table, PRESENT + REFRESH)
    assert "DEVICE#1" in interest
    assert REFRESH < LATEST


@pytest.mark.parametrize("lag", [1, OVERLAP - REFRESH])
def test_one_that_the_index_shows_late_is_not_missed(lag: int) -> None:
    table, interest = MemoryTable(), Interest()
    for at in range(PRESENT, PRESENT + lag + 1, REFRESH):
        interest.refresh(table, at)
    subscribed(table, "DEVICE#1")
    interest.refresh(table, PRESENT + lag + REFRESH)
    assert "DEVICE#1" in interest


def test_a_reader_that_starts_knows_all_that_can_still_be_open() -> None:
    table, interest = MemoryTable(), Interest()
    subscribed(table, "DEVICE#old", PRESENT - LONGEST - 1)
    subscribed(table, "DEVICE#oldest", PRESENT - LONGEST + 1)
    interest.refresh(table, PRESENT)
    assert ("DEVICE#old" in interest, "DEVICE#oldest" in interest) == (False, True)


def test_what_no_connection_can_still_want_is_dropped() -> None:
    table, interest = MemoryTable(), Interest()
    subscribed(table, "DEVICE#1")
    subscribed(table, "DEVICE#2", PRESENT + SECOND)
    interest.refresh(table, PRESENT + SECOND)
    interest.refresh(table, PRESENT + LONGEST)
    assert ("DEVICE#1" in interest, "DEVICE#2" in interest) == (False, True)


def test_a_refresh_reads_only_what_is_new(engine_on_local: StreamedTable) -> None:
    """Half a unit for each 4 KB: a hundred old subscriptions cost the first refresh something, and no other."""
    interest, table = Interest(), engine_on_local
    for number in range(100):
        subscribed(table, f"DEVICE#{number}", PRESENT - 60 * SECOND)
    spent = []
    for refresh in range(3):
        table.usage.reset()
        interest.refresh(table, PRESENT + refresh * REFRESH)
        spent.append((table.usage.requests, table.usage.read_units))
    assert "DEVICE#99" in interest
    assert [requests for requests, _ in spent] == [1, 1, 1]
    # DynamoDB Local counts nothing for an empty page, AWS half a unit.
    assert spent[0][1] > 0.5 >= max(units for _, units in spent[1:])
