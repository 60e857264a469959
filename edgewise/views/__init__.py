"""What is counted of a table's items, as classes: the words of this language are public names of this module."""

from edgewise.own.health import health as health
from edgewise.views.flags import condition as condition
from edgewise.views.groupings import day_of as day_of
from edgewise.views.groupings import each_of as each_of
from edgewise.views.groupings import hour_of as hour_of
from edgewise.views.groupings import levels_of as levels_of
from edgewise.views.groupings import month_of as month_of
from edgewise.views.measures import count as count
from edgewise.views.measures import distinct as distinct
from edgewise.views.measures import first_of as first_of
from edgewise.views.measures import group_by as group_by
from edgewise.views.measures import last_of as last_of
from edgewise.views.measures import max_of as max_of
from edgewise.views.measures import mean_of as mean_of
from edgewise.views.measures import min_of as min_of
from edgewise.views.measures import stddev_of as stddev_of
from edgewise.views.measures import sum_of as sum_of
from edgewise.views.measures import top as top
from edgewise.views.values import Instant as Instant
from edgewise.views.values import Number as Number
from edgewise.views.values import Text as Text
from edgewise.views.values import Texts as Texts
from edgewise.views.view import Items as Items
from edgewise.views.view import Rows as Rows
from edgewise.views.view import View as View
