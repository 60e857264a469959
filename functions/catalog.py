"""The one list of systems, from which the stream's readers, the deployment and the docs know them."""

from collections.abc import Mapping

from edgewise import Partitions
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.keys import CARRIER
from edgewise.aggregates.rankings.declaration import RANKING
from edgewise.derived import Derivations, in_no_index
from edgewise.freshness.keys import FOLLOWED, HEARTBEAT, SHARDS, UNFINISHED, WATERMARK
from edgewise.stream.follow_ups import FollowUps
from functions.outlet.entities import Outlets
from functions.push.topics import Topics
from functions.search.watched import Watched
from functions.system import System, Texts
from functions.systems.alerts.system import SYSTEM as ALERTS
from functions.systems.api.system import SYSTEM as API
from functions.systems.audits.system import SYSTEM as AUDITS
from functions.systems.billing.system import SYSTEM as BILLING
from functions.systems.chat.system import SYSTEM as CHAT
from functions.systems.checks.system import SYSTEM as CHECKS
from functions.systems.documents.system import SYSTEM as DOCUMENTS
from functions.systems.games.system import SYSTEM as GAMES
from functions.systems.graph.system import SYSTEM as GRAPH
from functions.systems.operations.system import SYSTEM as OPERATIONS
from functions.systems.orders.system import SYSTEM as ORDERS
from functions.systems.places.system import SYSTEM as PLACES
from functions.systems.proof.system import SYSTEM as PROOF
from functions.systems.push.system import SYSTEM as PUSH
from functions.systems.quarantine.system import SYSTEM as QUARANTINE
from functions.systems.search.system import SYSTEM as SEARCH
from functions.systems.telemetry.system import SYSTEM as TELEMETRY
from functions.systems.walks.system import SYSTEM as WALKS

SYSTEMS: tuple[System, ...] = (
    TELEMETRY,
    CHAT,
    PLACES,
    BILLING,
    GRAPH,
    WALKS,
    ORDERS,
    GAMES,
    AUDITS,
    DOCUMENTS,
    ALERTS,
    CHECKS,
    PUSH,
    SEARCH,
    OPERATIONS,
    QUARANTINE,
    PROOF,
    API,
)
CATALOG = Catalog(
    (kind for system in SYSTEMS for kind in system.kinds),
    ignored=(*(each for system in SYSTEMS for each in system.ignored), WATERMARK, FOLLOWED, UNFINISHED, SHARDS),
)
FOLLOW_UPS = FollowUps(CATALOG, (system.follow_ups for system in SYSTEMS))
TOPICS = Topics(live for system in SYSTEMS for live in system.live)
WATCHED = Watched(each for system in SYSTEMS for each in system.searchable)
OUTLETS = Outlets(system.outlets for system in SYSTEMS)

DERIVATIONS = Derivations(
    anew={of_type: anew for system in SYSTEMS for of_type, anew in system.anew.items()}
    | dict.fromkeys((HEARTBEAT, WATERMARK, FOLLOWED, UNFINISHED, SHARDS), in_no_index),
    copies={copies.name: copies for system in SYSTEMS for copies in system.copies},
    shards={of_type: shards for system in SYSTEMS for of_type, shards in system.shards.items()},
    unjudged={of_type: what for system in SYSTEMS for of_type, what in system.unjudged.items()}
    | {
        RANKING: "the floor of a ranking, and whether its refill goes on; what is on a roster without need",
        CARRIER: "carriers, which would bring again what they carry: only those to whom they bring it",
    },
)

# The sharded lists: the partitions of each family, and what names a list in it.
LISTS: Mapping[str, tuple[Partitions, Mapping[str, Texts]]] = {
    partitions.name: (partitions, of) for system in SYSTEMS for partitions, of in system.lists.items()
}

# Under this name the functions of all systems count together: a metric is billed once for each name that counts it.
SERVICE = "api"
_NAMES = frozenset(system.name for system in SYSTEMS)


def module_of(function: str) -> str:
    """The module of a Lambda function: a system's routes, or a handler that belongs to no system."""
    return f"functions.systems.{function}.routes" if function in _NAMES else f"functions.handlers.{function}"
