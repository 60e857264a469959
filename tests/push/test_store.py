"""Tickets, connections and subscriptions as they are stored, and what is left of them."""

import re
from pathlib import Path

import pytest

from functions.dynamodb.writes import Delete, Write
from functions.errors import InvalidInputError
from functions.push import codec, keys, store
from functions.push.entity import TICKET_LIFE, Connection, Subscription, Ticket
from functions.times import HOUR, SECOND
from tests.push.listening import found
from tests.support.memory import MemoryTable
from tests.support.streams import PRESENT

PAGE = (Path(__file__).parents[2] / "docs" / "push.md").read_text()
ENDS = PRESENT + HOUR


def subscription(number: int = 0, connection: str = "c", topic: str = "DEVICE#1") -> Subscription:
    return Subscription(topic, connection, f"/devices/1?limit={number}", PRESENT, ENDS)


def subscribe(table: MemoryTable, made: Subscription) -> None:
    """As the socket does, which has read the connection."""
    store.subscribe(table, found(table, made.connection), made)


@pytest.fixture
def memory() -> MemoryTable:
    """A table with a connection."""
    table = MemoryTable()
    store.connect(table, Connection("c", "amy", ENDS))
    return table


def test_a_ticket_is_worth_its_user_and_the_tokens_end_once() -> None:
    table = MemoryTable()
    text, ticket = store.issue(table, "amy", ENDS, PRESENT)
    assert ticket == Ticket("amy", PRESENT + TICKET_LIFE, ENDS)
    assert [store.redeem(table, text, PRESENT) for _ in range(2)] == [ticket, None]
    assert table.items == {}


def test_a_ticket_ends_with_its_token() -> None:
    _, ticket = store.issue(MemoryTable(), "amy", PRESENT + SECOND, PRESENT)
    assert ticket.expires == PRESENT + SECOND


@pytest.mark.parametrize(("later", "worth"), [(TICKET_LIFE - 1, True), (TICKET_LIFE, False)])
def test_a_ticket_lives_for_a_minute(later: int, worth: bool) -> None:
    table = MemoryTable()
    text, ticket = store.issue(table, "amy", ENDS, PRESENT)
    assert store.redeem(table, text, PRESENT + later) == (ticket if worth else None)


def test_nobody_can_guess_a_ticket_or_find_one_in_the_table() -> None:
    table = MemoryTable()
    texts = {store.issue(table, "amy", ENDS, PRESENT)[0] for _ in range(100)}
    assert len(texts) == 100
    assert all(len(text) >= 43 for text in texts), "256 bits"
    assert not [text for text in texts if text in str(table.items)]
    hashed = [key.pk.partition("#")[2] for key in table.items]
    assert [store.redeem(table, text, PRESENT) for text in ("", "x", *hashed)] == [None] * 102


class Overtaken(MemoryTable):
    """Between a read of the ticket and the write that follows, somebody else redeems it."""

    def write(self, write: Write) -> None:
        if isinstance(write, Delete) and not hasattr(self, "faster"):
            self.faster: Ticket | None = None
            self.faster = store.redeem(self, self.text, PRESENT)
        super().write(write)

    text: str


def test_of_two_that_redeem_at_once_one_gets_in() -> None:
    table = Overtaken()
    table.text, ticket = store.issue(table, "amy", ENDS, PRESENT)
    assert store.redeem(table, table.text, PRESENT) is None
    assert table.faster == ticket


def test_items_say_what_they_were_made_of() -> None:
    connection = Connection("c", "amy", ENDS, (codec.key_of_subscription(subscription()),))
    ticket = Ticket("amy", PRESENT, ENDS)
    assert codec.ticket(codec.ticket_item("t", ticket)) == ticket
    assert codec.subscription(codec.subscription_item(subscription())) == subscription()
    stored = codec.connection(codec.connection_item(connection))
    assert (stored.subscriptions, stored.ends, stored.version) == (connection.subscriptions, ENDS, 1)


def test_subscribing_twice_is_subscribing_once(memory: MemoryTable) -> None:
    for _ in range(2):
        subscribe(memory, subscription())
    assert list(store.subscribers(memory, "DEVICE#1", PRESENT)) == [subscription()]
    assert len(found(memory, "c").subscriptions) == 1


def test_nothing_is_left_of_one_that_unsubscribes(memory: MemoryTable) -> None:
    before = {key for key in memory.items}
    subscribe(memory, subscription())
    store.unsubscribe(memory, found(memory, "c"), "DEVICE#1", subscription().address)
    assert set(memory.items) == before
    assert found(memory, "c").subscriptions == ()


def test_nothing_is_left_of_one_that_disconnects(memory: MemoryTable) -> None:
    store.connect(memory, Connection("other", "bob", ENDS))
    subscribe(memory, subscription(1, "other"))
    others = set(memory.items) - {keys.connection("c")}
    for number in range(3):
        subscribe(memory, subscription(number))
    for _ in range(2):
        store.disconnect(memory, "c")
    assert set(memory.items) == others


@pytest.mark.parametrize("before", [[], [subscription()]], ids=["new", "known"])
def test_a_closed_connection_subscribes_to_nothing(memory: MemoryTable, before: list[Subscription]) -> None:
    for each in before:
        subscribe(memory, each)
    read = found(memory, "c")
    store.disconnect(memory, "c")
    with pytest.raises(InvalidInputError, match="connection: is closed"):
        store.subscribe(memory, read, subscription())
    assert memory.items == {}


def test_whoever_unsubscribed_meanwhile_is_subscribed_again(memory: MemoryTable) -> None:
    subscribe(memory, subscription())
    read = found(memory, "c")
    store.unsubscribe(memory, read, "DEVICE#1", subscription().address)
    store.subscribe(memory, read, subscription())
    assert found(memory, "c").subscriptions == (codec.key_of_subscription(subscription()),)


def test_a_connection_has_as_many_as_the_page_says(memory: MemoryTable) -> None:
    (most,) = map(int, re.findall(r"^A connection has at most (\d+) subscriptions\.", PAGE, re.MULTILINE))
    for number in range(most):
        subscribe(memory, subscription(number))
    with pytest.raises(InvalidInputError, match=f"at most {most} subscriptions"):
        subscribe(memory, subscription(most))
    subscribe(memory, subscription(0))  # has it already
    assert len(list(store.subscribers(memory, "DEVICE#1", PRESENT))) == most


class Meddling(MemoryTable):
    """Between a read of the connection and the write that follows, somebody else subscribes."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = times

    def write(self, write: Write) -> None:
        if self.left and keys.connection("c") in self.items and write.condition:
            self.left -= 1
            number, left, self.left = 100 + self.left, self.left, 0
            subscribe(self, subscription(number))
            self.left = left
        super().write(write)


def test_subscriptions_at_once_are_all_kept() -> None:
    table = Meddling(3)
    store.connect(table, Connection("c", "amy", ENDS))
    subscribe(table, subscription())
    assert set(found(table, "c").subscriptions) == {
        codec.key_of_subscription(subscription(each)) for each in (0, 100, 101, 102)
    }


def test_ended_subscriptions_are_not_sent_to(memory: MemoryTable) -> None:
    subscribe(memory, subscription())
    assert [len(list(store.subscribers(memory, "DEVICE#1", at))) for at in (ENDS - 1, ENDS)] == [1, 0]


def test_connections_that_have_ended_are_found_and_no_others(memory: MemoryTable) -> None:
    store.connect(memory, Connection("later", "amy", ENDS + 1))
    assert [list(store.ended(memory, at)) for at in (ENDS - 1, ENDS, ENDS + 1)] == [[], ["c"], ["c", "later"]]
