"""Exact aggregates over one DynamoDB table, although every delivery of its stream may repeat.

`__init__.pyi` lists what an application may use: `from edgewise import OwnTable, consumer`; `edgewise.views` has the
words in which somebody says what is to be counted of a table that is there already.
"""

from edgewise.public import find as __getattr__  # noqa: F401 -- Python asks it for each name that is not here
from edgewise.public import names as __dir__  # noqa: F401 -- and this one for what there is, as `help` does

__version__ = "0.2.0"
