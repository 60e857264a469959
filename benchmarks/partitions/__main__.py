"""Fills in the tables of docs/hot-keys.md."""

from benchmarks.partitions import page, tables

if __name__ == "__main__":
    page.write(tables.tables())
