"""What reading and writing costs: list prices of us-east-1 on demand, looked up on 22 November 2026.

AWS's own pages fill in most prices only in a browser, so articles are cited (linkedin.com: Amazon DynamoDB Pricing
Explained; factualminds.com: Amazon CloudWatch Pricing).
"""

from decimal import Decimal
from typing import Final

_MILLION: Final = 1_000_000
# USD for a million units.
WRITE_UNITS, READ_UNITS = Decimal("0.625"), Decimal("0.125")
# USD for a thousand metrics that are asked for, however many values each has; and for a thousand lists of them.
METRICS_READ, METRICS_LISTED = Decimal("0.01"), Decimal("0.01")
_TOLD: Final = Decimal("0.00000001")


def of_units(read: Decimal, write: Decimal) -> Decimal:
    """What these read and write units cost, in USD."""
    return ((read * READ_UNITS + write * WRITE_UNITS) / _MILLION).quantize(_TOLD)


def of_metrics(asked: int, lists: int) -> Decimal:
    """What it costs to ask for the values of so many metrics, and to list metrics so often, in USD."""
    return ((asked * METRICS_READ + lists * METRICS_LISTED) / 1000).quantize(_TOLD)
