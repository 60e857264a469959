"""What is counted of a table's items, as classes: words, results and errors are public names of this module."""

from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.rankings.standings import Standing, Top
from edgewise.dynamodb.attributes import PlainItemError
from edgewise.dynamodb.existing import FormerFormatError, OtherFormatError, UnknownFormatError
from edgewise.errors import NotYetFilledError, UnknownShardError
from edgewise.own.collisions import CollisionError
from edgewise.own.errors import WrongKeysError, WrongStreamError
from edgewise.own.freshness import Freshness
from edgewise.own.health import Fill, Health, health
from edgewise.own.table import UnnamedTableError
from edgewise.views.conditions import Condition
from edgewise.views.counts import Counts, CrowdedError
from edgewise.views.explaining import Explained
from edgewise.views.flags import condition
from edgewise.views.groupings import day_of, each_of, hour_of, levels_of, month_of
from edgewise.views.measures import (
    count,
    count_by,
    distinct,
    first_of,
    group_by,
    last_of,
    max_of,
    mean_of,
    min_of,
    stddev_of,
    sum_of,
    top,
)
from edgewise.views.members import Values
from edgewise.views.values import Instant, Number, Text, Texts
from edgewise.views.view import Items, Rows, View
from edgewise.views.windows import Window

__all__ = [
    "CollisionError",
    "Condition",
    "Counts",
    "CrowdedError",
    "DeclarationError",
    "Explained",
    "Fill",
    "FormerFormatError",
    "Freshness",
    "Health",
    "Instant",
    "Items",
    "NotYetFilledError",
    "Number",
    "OtherFormatError",
    "PlainItemError",
    "Rows",
    "Standing",
    "Text",
    "Texts",
    "Top",
    "UnknownFormatError",
    "UnknownShardError",
    "UnnamedTableError",
    "Values",
    "View",
    "Window",
    "WrongKeysError",
    "WrongStreamError",
    "condition",
    "count",
    "count_by",
    "day_of",
    "distinct",
    "each_of",
    "first_of",
    "group_by",
    "health",
    "hour_of",
    "last_of",
    "levels_of",
    "max_of",
    "mean_of",
    "min_of",
    "month_of",
    "stddev_of",
    "sum_of",
    "top",
]
