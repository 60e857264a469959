"""Responses of the push route."""

from pydantic import BaseModel


class TicketOut(BaseModel):
    """A ticket, until when it opens a socket, and when the socket ends: with the token that fetched the ticket."""

    ticket: str
    expires_at: str
    socket_ends_at: str
