"""The tables of docs/hot-keys.md: always the same figures, because every random choice has a seed."""

from benchmarks.partitions import fleets, hub, lists, room
from benchmarks.partitions.load import zipf
from benchmarks.report import Table
from edgewise.sharding.lists import MAX_SHARDS

# Per second, of all keys together.
RATES = (500, 2_000, 10_000, 50_000)
LIST_RATES = (500, 2_000, 5_000, 10_000)
HUB_RATES = (500, 1_000, 2_000, 5_000, 10_000)
# The settings of interest at each rate: numbers of shards.
SHARDS = {500: (1,), 2_000: (1,), 10_000: (1, 2, 4), 50_000: (1, 4, 16, 64)}
DEVICES = (500, 5_000, 50_000, 1_000_000, 10_000_000)


def tables() -> dict[str, Table]:
    """All tables, by their names in the page."""
    return {
        "room": of_rooms(),
        "widening": of_widening(),
        "list": of_lists(),
        "fleet": of_fleets(),
        "hub": of_hubs(),
    }


def of_rooms() -> Table:
    """A hot room with an increasing number of shards."""
    return Table(
        "One hot room among others",
        (
            *("messages/s: all, hot room", "shards", "hottest partition", "throttled", "retries per write"),
            *("callers refused", "throttled after splits"),
        ),
        [_room_row(rate, shards) for rate in RATES for shards in SHARDS[rate]],
    )


def of_widening() -> Table:
    """The same room, starting with one shard."""
    rows = []
    for rate in RATES[2:]:
        wider = room.widen(rate)
        ended = f"{wider.seconds} s" if wider.ended else "never"
        rows.append((_hot(rate, rate * zipf(room.ROOMS)[0]), str(wider.shards), ended, _share(wider.counts.refused)))
    return Table(
        "A room that widens itself",
        ("messages/s: all, hot room", "shards at the end", "last throttle after", "callers refused until then"),
        rows,
    )


def of_lists() -> Table:
    """Lists of an index, kept at one shard and widening themselves."""
    return Table(
        "One hot list",
        (
            *("list, new entries/s", "1 shard: throttled", "callers refused", "throttled after splits"),
            *("widens to", "last throttle after", "callers refused until then", "16 shards from the start: throttled"),
        ),
        [_list_row(kind, rate) for kind in lists.KINDS for rate in LIST_RATES],
    )


def of_fleets() -> Table:
    """Fleets of growing size, and the keys and readers that all of it meets in."""
    return Table(
        "Fleets, each device once a minute, 20 at a site",
        (
            *("devices", "readings/s", "units/s of the table", "units a reading", "shards", "groups", "a carrier, KB"),
            *("a group's key, units/s", "a group's reader, units/s"),
        ),
        list(map(_fleet_row, DEVICES)),
    )


def of_hubs() -> Table:
    """A hub among others, with everything that an edge to it touches."""
    return Table(
        "One hot hub among others",
        (
            *("edges/s: all, hot hub", "reads of the node, units/s", "mirrors throttled", "callers refused"),
            "after splits",
        ),
        list(map(_hub_row, HUB_RATES)),
    )


def _room_row(rate: int, shards: int) -> tuple[str, ...]:
    hot = room.simulate(rate, shards)
    counts, after = hot.before, hot.after
    return (
        *(_hot(rate, hot.rate), str(shards), f"{hot.asked:,.0f}", _share(counts.throttled / counts.offered)),
        *(f"{counts.retries / counts.offered:.1f}", _share(counts.refused), _share(after.throttled / after.offered)),
    )


def _list_row(kind: lists.Kind, rate: int) -> tuple[str, ...]:
    before, after = lists.fixed(kind, rate, 1)
    wide, _ = lists.fixed(kind, rate, MAX_SHARDS)
    wider = lists.grown(kind, rate)
    ended = f"{wider.seconds} s" if wider.ended else "never"
    return (
        *(f"{kind.name}, {rate:,}", _share(before.throttled / before.offered), _share(before.refused)),
        *(_share(after.throttled / after.offered), str(wider.shards), ended if wider.counts.throttled else "–"),
        *(_share(wider.counts.refused), _share(wide.throttled / wide.offered)),
    )


def _fleet_row(devices: int) -> tuple[str, ...]:
    found = fleets.simulate(devices)
    return (
        *(f"{devices:,}", f"{found.readings:,.0f}", f"{found.asked:,.0f}", f"{found.units:.2f}", f"{found.shards:,}"),
        *(f"{found.groups:,}", f"{found.carrier:,}", f"{found.key:,.0f}", f"{found.reader:,.0f}"),
    )


def _hub_row(rate: int) -> tuple[str, ...]:
    found = hub.simulate(rate)
    before, after = found.mirrors
    return (
        _hot(rate, found.rate),
        f"{found.reads:,.0f}",
        _share(before.throttled / before.offered),
        _share(before.refused),
        _share(after.throttled / after.offered),
    )


def _hot(rate: float, hot: float) -> str:
    return f"{rate:,.0f}, {hot:,.0f}"


def _share(share: float) -> str:
    """In percent; a share above zero is never shown as 0."""
    return "0" if not share else "< 1%" if share < 0.01 else f"{share:.0%}"
