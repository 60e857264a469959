"""Exact aggregates over one DynamoDB table, although every delivery of its stream may repeat.

`__init__.pyi` lists what an application may use: `from edgewise import Feed, Kind, Source`.
"""

from edgewise.public import find as __getattr__  # noqa: F401 -- Python asks it for each name that is not here
