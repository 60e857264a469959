"""Telemetry: readings arrive by HTTP and through the queue, and are repeated, corrected and moved."""

from collections.abc import Sequence
from random import Random

from ops.recounting.facts import Name
from verify.corner import Corner
from verify.share import Left, Request, Share
from verify.shares.measured import checks
from verify.shares.readings import Reading, corrected, instant, readings

BATCH = 50
BLOCK_HOURS = 4  # the length of a block of hourly rollups, which a recount counts at once


def share(corner: Corner, rng: Random, events: int) -> Share:
    """A fifth of the readings use the queue; a tenth of the others are corrected. A fifth of the requests repeat."""
    sent = list(readings(corner, rng, events))
    queued, posted = sent[: events // 5], sent[events // 5 :]
    # Readings from the queue are not corrected, because the queue may deliver them again at any later time.
    corrections = [corrected(rng, reading) for reading in rng.sample(posted, len(posted) // 10)]
    final = {reading.id: reading for reading in [*sent, *corrections]}
    first = [_post(batch) for batch in _batches(posted)]
    again = rng.sample(first, max(1, len(first) // 5))
    changes = [_post(batch) for batch in _batches(corrections)]
    return Share(
        name="telemetry",
        rounds=[[*first, *again], changes, changes],
        queued=[{"events": [reading.body for reading in batch]} for batch in _batches(queued)],
        checks=list(checks(corner, list(final.values()))),
        recounts=_recounts(list(final.values())),
        left=[Left("readings and their aggregates", len(final), f"DEVICE#{corner.name}…, PLACE#{corner.name}…")],
    )


def _post(batch: Sequence[Reading]) -> Request:
    return Request("POST", ("telemetry",), {"events": [reading.body for reading in batch]}, accepted=len(batch))


def _batches(sent: Sequence[Reading]) -> list[Sequence[Reading]]:
    return [sent[start : start + BATCH] for start in range(0, len(sent), BATCH)]


def _recounts(final: Sequence[Reading]) -> list[Name]:
    """One aggregate of each kind, of the first reading that has a place."""
    one = next(reading for reading in final if reading.place)
    day = one.at.replace(hour=0, minute=0, second=0)
    block = day.replace(hour=one.at.hour // BLOCK_HOURS * BLOCK_HOURS)
    return [
        Name("DEVICE", (one.device,)),
        Name("REPORTED_FROM", (one.device, one.place)),
        Name("PLACE", (one.place[:1],)),
        Name("PLACE", (one.place[:2],)),
        Name("HOSTS", (one.place[:1], one.device)),
        Name("ROLLUP_HOUR", (one.device, instant(block))),
        Name("ROLLUP_DAY", (one.device, instant(day))),
    ]
