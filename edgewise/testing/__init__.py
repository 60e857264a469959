"""Somebody's table in memory, whose stream a hostile Lambda delivers: for tests of one's own views (docs/views.md).

It needs what `pip install edgewise[testing]` brings.
"""

from delivery import HARSH as HARSH
from delivery import HOSTILE as HOSTILE
from delivery import MILD as MILD
from delivery import NONE as NONE
from delivery import Faults as Faults
from edgewise.testing.delivered import EndlessError as EndlessError
from edgewise.testing.world import World as World
from edgewise.testing.world import WrongError as WrongError
