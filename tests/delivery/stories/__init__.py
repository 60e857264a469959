"""What may happen to the sources of each system, and what its aggregates must then say. One module a system."""

from tests.delivery.stories import audits, billing, chat, documents, games, graph, orders, places, telemetry
from tests.delivery.stories.story import Story

STORIES: tuple[Story, ...] = (
    telemetry.STORY,
    chat.STORY,
    orders.STORY,
    games.STORY,
    billing.STORY,
    places.STORY,
    graph.STORY,
    audits.STORY,
    documents.STORY,
)
