"""Variants of the consumer, each wrong in one way; `tests/delivery/test_mutants.py` must catch all of them."""

from tests.delivery.mutants.carriers import CARRIERS
from tests.delivery.mutants.checkpoints import CHECKPOINTS
from tests.delivery.mutants.continuations import CONTINUATIONS
from tests.delivery.mutants.dangling import DANGLING
from tests.delivery.mutants.openings import OPENINGS
from tests.delivery.mutants.orders import ORDERS
from tests.delivery.mutants.quarantine import QUARANTINE
from tests.delivery.mutants.rankings import RANKINGS
from tests.delivery.mutants.records import RECORDS
from tests.delivery.mutants.recounts import RECOUNTS
from tests.delivery.mutants.repairs import REPAIRS
from tests.delivery.mutants.states import STATES
from tests.delivery.mutants.waiting import WAITING
from tests.delivery.mutants.writing import WRITING

MUTANTS = (
    *CHECKPOINTS,
    *WRITING,
    *RECORDS,
    *QUARANTINE,
    *RECOUNTS,
    *CARRIERS,
    *WAITING,
    *CONTINUATIONS,
    *DANGLING,
    *STATES,
    *OPENINGS,
    *ORDERS,
    *RANKINGS,
    *REPAIRS,
)
