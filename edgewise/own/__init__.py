"""Exact views of a table that was there before (docs/own-table.md)."""
