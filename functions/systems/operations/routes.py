"""Operations: what people look at to understand the application, and to find what is wrong."""

from functions.systems.operations import aggregates, exactness, overview, recent, table
from functions.systems.operations.app import app
from functions.web import http

__all__ = ["aggregates", "app", "exactness", "handler", "overview", "recent", "table"]

handler = http.handler(app)
