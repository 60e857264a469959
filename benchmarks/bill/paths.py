"""What a million readings cost on their way into the table: through the API, and through the queue."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.bill.bill import ANSWER_BYTES, REQUEST_LOG_BYTES, Deployed, Load, Measured, http_seconds, stored_units
from benchmarks.bill.prices import PRICES
from infra.queue import MESSAGES_PER_BATCH

READINGS = 1_000_000


@dataclass(frozen=True)
class Path:
    """One way: `per_request` readings in a request to the API, or in a message of the queue.

    `together`: how many messages one invocation takes from the queue.
    """

    per_request: int
    queue: bool = False
    together: int = 1

    @property
    def name(self) -> str:
        """As a column is called."""
        if not self.queue:
            return f"API, {self.per_request:,} a request"
        return f"queue, {self.per_request:,} a message" + ("" if self.together > 1 else ", each alone")

    def costs(self, measured: Measured, deployed: Deployed) -> dict[str, float]:
        """USD by what is billed; without what the table bills, which is the same on every way.

        Messages of one invocation are stored one after the other, so each takes as long as a request.
        """
        load = Load(READINGS, READINGS, self.per_request)
        sent, invocations = load.requests, load.requests / self.together
        # A message is sent; what is read together is received by one request, and deleted by one.
        amounts = {
            "API Gateway": 0 if self.queue else sent,
            "SQS": sent + 2 * invocations if self.queue else 0,
            "Lambda requests": invocations,
            "Lambda duration": http_seconds(load, measured) * deployed.http_gb,
            "CloudWatch logs": invocations * REQUEST_LOG_BYTES / 1e9,
            "Data to the internet": sent * ANSWER_BYTES / 1e9,
        }
        return {service: PRICES[service].of(amount) for service, amount in amounts.items()}


PATHS = (
    *map(Path, (1, 10, 500)),
    Path(1, queue=True),
    *(Path(readings, queue=True, together=MESSAGES_PER_BATCH) for readings in (1, 10)),
)


def rows(measured: Measured, deployed: Deployed) -> Iterator[tuple[str, ...]]:
    """The lines of the table: USD by service, the sum, and what storing the readings costs besides."""
    costs = [path.costs(measured, deployed) for path in PATHS]
    for service in costs[0]:
        yield service, *(f"{each[service]:,.2f}" for each in costs)
    yield "**until they are stored**", *(f"{sum(each.values()):,.2f}" for each in costs)
    units = [stored_units(Load(READINGS, READINGS, path.per_request), measured) for path in PATHS]
    yield "the write that stores each", *(f"{PRICES['DynamoDB writes'].of(each):,.2f}" for each in units)
