"""What a run costs, about, by the list prices of us-east-1; the job runs on arm64.

EMR Serverless: AWS's price list of 17 July 2026, as others quote it. Both exports cost the same for a GB: in
full, the size of the table without its indexes; of changes, what DynamoDB reads of the table's history for them
(DynamoDB's guide, Best practices for understanding your AWS billing and usage reports).
"""

from dataclasses import dataclass
from decimal import Decimal

_GIB = 1024**3
_EXPORTED_GIB, _VCPU_HOUR = Decimal("0.10"), Decimal("0.042094")
_MEMORY_GB_HOUR, _STORAGE_GB_HOUR = Decimal("0.004628"), Decimal("0.000111")
_TOLD = Decimal("0.0001")


@dataclass(frozen=True, slots=True)
class Used:
    """What is billed of a run: bytes that DynamoDB exported, and hours of the job's vCPUs, memory and storage."""

    exported_bytes: int
    vcpu_hours: Decimal
    memory_gb_hours: Decimal
    storage_gb_hours: Decimal = Decimal(0)


def cost(used: Used) -> Decimal:
    """The estimate in USD, to a hundredth of a cent. Requests, Lambda and stored objects are not in it."""
    exported = Decimal(used.exported_bytes) / _GIB * _EXPORTED_GIB
    kept = used.memory_gb_hours * _MEMORY_GB_HOUR + used.storage_gb_hours * _STORAGE_GB_HOUR
    return (exported + used.vcpu_hours * _VCPU_HOUR + kept).quantize(_TOLD)
