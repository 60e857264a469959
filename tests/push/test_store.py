"""Tickets, connections and subscriptions as they are stored, and what is left of them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.writes import Delete, Put, Write
from edgewise.errors import InvalidInputError
from edgewise.times import HOUR, SECOND
from functions.push import codec, keys, store
from functions.push.entity import TICKET_LIFE, Connection, Listener, Subscription, Ticket, TooManyError
from functions.replay.memory import MemoryTable
from tests.push.listening import RATE, found
from tests.support.streams import PRESENT

PAGE = " ".join((Path(__file__).parents[2] / "docs" / "push.md").read_text().split())
ENDS = PRESENT + HOUR


def subscription(number: int = 0, connection: str = "c", topic: str = "DEVICE#1", sub: str = "amy") -> Subscription:
    return Subscription(topic, connection, sub, f"/devices/1?limit={number}", PRESENT, ENDS, RATE)


def subscribe(table: MemoryTable, made: Subscription) -> None:
    """As the socket does, which has read the connection."""
    store.subscribe(table, found(table, made.connection), made)


def subscribed(table: MemoryTable) -> tuple[Key, ...]:
    """The keys of the subscriptions of connection c, as its user's item says."""
    return codec.listener(table.items[keys.listener("amy")]).subscriptions.get("c", ())


@pytest.fixture
def memory() -> MemoryTable:
    """A table with a connection."""
    table = MemoryTable()
    store.connect(table, Connection("c", "amy", 0, ENDS, RATE), PRESENT)
    return table


def test_a_ticket_is_worth_its_user_and_the_tokens_end_once() -> None:
    table = MemoryTable()
    text, ticket = store.issue(table, "amy", RATE, 0, ENDS, PRESENT)
    assert ticket == Ticket("amy", PRESENT + TICKET_LIFE, 0, ENDS, RATE)
    assert [store.redeem(table, text, PRESENT) for _ in range(2)] == [ticket, None]
    assert table.items == {}


def test_a_ticket_ends_with_its_token() -> None:
    _, ticket = store.issue(MemoryTable(), "amy", RATE, 0, PRESENT + SECOND, PRESENT)
    assert ticket.expires == PRESENT + SECOND


@pytest.mark.parametrize(("later", "worth"), [(TICKET_LIFE - 1, True), (TICKET_LIFE, False)])
def test_a_ticket_lives_for_a_minute(later: int, worth: bool) -> None:
    table = MemoryTable()
    text, ticket = store.issue(table, "amy", RATE, 0, ENDS, PRESENT)
    assert store.redeem(table, text, PRESENT + later) == (ticket if worth else None)


def test_nobody_can_guess_a_ticket_or_find_one_in_the_table() -> None:
    table = MemoryTable()
    texts = {store.issue(table, "amy", RATE, 0, ENDS, PRESENT)[0] for _ in range(100)}
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
    table.text, ticket = store.issue(table, "amy", RATE, 0, ENDS, PRESENT)
    assert store.redeem(table, table.text, PRESENT) is None
    assert table.faster == ticket


def test_items_say_what_they_were_made_of() -> None:
    connection = Connection("c", "amy", 0, ENDS, RATE)
    listener = Listener("amy", {"c": ENDS}, {"c": (codec.key_of_subscription(subscription()),)}, ENDS, 4)
    ticket = Ticket("amy", PRESENT, 0, ENDS, RATE)
    assert codec.ticket(codec.ticket_item("t", ticket)) == ticket
    assert codec.subscription(codec.subscription_item(subscription())) == subscription()
    assert codec.connection(codec.connection_item(connection)) == connection
    assert codec.listener(codec.listener_item(listener)) == replace(listener, version=5)


def test_subscribing_twice_is_subscribing_once(memory: MemoryTable) -> None:
    for _ in range(2):
        subscribe(memory, subscription())
    assert list(store.subscribers(memory, "DEVICE#1", PRESENT)) == [subscription()]
    assert len(subscribed(memory)) == 1


def test_nothing_is_left_of_one_that_unsubscribes(memory: MemoryTable) -> None:
    before = {key for key in memory.items}
    subscribe(memory, subscription())
    store.unsubscribe(memory, found(memory, "c"), "DEVICE#1", subscription().address)
    assert set(memory.items) == before
    assert subscribed(memory) == ()


def test_nothing_is_left_of_one_that_disconnects(memory: MemoryTable) -> None:
    store.connect(memory, Connection("other", "amy", 0, ENDS, RATE), PRESENT)
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
    assert memory.items.keys() == {keys.listener("amy")}, "it expires"


def test_whoever_unsubscribed_meanwhile_is_subscribed_again(memory: MemoryTable) -> None:
    subscribe(memory, subscription())
    read = found(memory, "c")
    store.unsubscribe(memory, read, "DEVICE#1", subscription().address)
    store.subscribe(memory, read, subscription())
    assert subscribed(memory) == (codec.key_of_subscription(subscription()),)


((SUBSCRIPTIONS, SOCKETS, ADDRESSES, OF_ONE),) = (
    tuple(map(int, each))
    for each in re.findall(
        r"A connection has at most (\d+) subscriptions\. A user has at most (\d+) connections and (\d+) "
        r"subscriptions, (\d+) of them to different",
        PAGE,
    )
)


def test_a_connection_has_as_many_as_the_page_says(memory: MemoryTable) -> None:
    for number in range(SUBSCRIPTIONS):
        subscribe(memory, subscription(topic=f"DEVICE#{number}"))
    with pytest.raises(TooManyError, match=f"a connection has at most {SUBSCRIPTIONS} subscriptions"):
        subscribe(memory, subscription(topic="DEVICE#more"))
    subscribe(memory, subscription(topic="DEVICE#0"))  # has it already
    assert len(subscribed(memory)) == SUBSCRIPTIONS


def test_a_user_listens_to_one_thing_as_often_as_the_page_says(memory: MemoryTable) -> None:
    """The rest of the attempts is refused, whichever of the user's connections makes them; others are let in."""
    for name, user in (("d", "amy"), ("e", "bob")):
        store.connect(memory, Connection(name, user, 0, ENDS, RATE), PRESENT)
    for number in range(OF_ONE):
        subscribe(memory, subscription(number, "cd"[number % 2]))
    for name in "cd":
        with pytest.raises(TooManyError, match=f"a user has at most {OF_ONE} different subscriptions to one thing"):
            subscribe(memory, subscription(OF_ONE, name))
    subscribe(memory, subscription(0, "d"))  # in another window
    subscribe(memory, subscription(OF_ONE, "e", sub="bob"))
    store.disconnect(memory, "d")
    subscribe(memory, subscription(OF_ONE))


def test_a_user_has_as_many_subscriptions_as_the_page_says(memory: MemoryTable) -> None:
    for number in range(ADDRESSES):
        name = f"c{number // SUBSCRIPTIONS}"
        if not number % SUBSCRIPTIONS:
            store.connect(memory, Connection(name, "amy", 0, ENDS, RATE), PRESENT)
        subscribe(memory, subscription(connection=name, topic=f"DEVICE#{number}"))
    with pytest.raises(TooManyError, match=f"a user has at most {ADDRESSES} subscriptions"):
        subscribe(memory, subscription())


def test_a_user_has_as_many_connections_as_the_page_says() -> None:
    """Those that have ended don't count, even if nobody told that they were closed."""
    table = MemoryTable()
    for number in range(SOCKETS):
        store.connect(table, Connection(f"c{number}", "amy", 0, ENDS + number, RATE), PRESENT)
    with pytest.raises(TooManyError, match=f"a user has at most {SOCKETS} connections"):
        store.connect(table, Connection("more", "amy", 0, ENDS, RATE), PRESENT)
    assert store.find(table, "more") is None
    store.connect(table, Connection("bobs", "bob", 0, ENDS, RATE), PRESENT)
    store.connect(table, Connection("later", "amy", 0, ENDS + HOUR, RATE), ENDS)
    with pytest.raises(TooManyError):
        store.connect(table, Connection("more", "amy", 0, ENDS, RATE), ENDS)


class Meddling(MemoryTable):
    """Between a read of the listener and the write that follows, somebody else subscribes."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = times

    def write(self, write: Write) -> None:
        if self.left and keys.connection("c") in self.items and isinstance(write, Put) and write.condition:
            self.left -= 1
            number, left, self.left = 100 + self.left, self.left, 0
            subscribe(self, subscription(number))
            self.left = left
        super().write(write)


def test_subscriptions_at_once_are_all_kept() -> None:
    table = Meddling(3)
    store.connect(table, Connection("c", "amy", 0, ENDS, RATE), PRESENT)
    subscribe(table, subscription())
    assert set(subscribed(table)) == {codec.key_of_subscription(subscription(each)) for each in (0, 100, 101, 102)}


def test_ended_subscriptions_are_not_sent_to(memory: MemoryTable) -> None:
    subscribe(memory, subscription())
    assert [len(list(store.subscribers(memory, "DEVICE#1", at))) for at in (ENDS - 1, ENDS)] == [1, 0]


def test_connections_that_have_ended_are_found_and_no_others(memory: MemoryTable) -> None:
    store.connect(memory, Connection("later", "amy", 0, ENDS + 1, RATE), PRESENT)
    assert [list(store.ended(memory, at)) for at in (ENDS - 1, ENDS, ENDS + 1)] == [[], ["c"], ["c", "later"]]
