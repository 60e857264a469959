"""A simulator of Lambda's event source mapping for DynamoDB Streams: docs/delivery-simulator.md."""

from delivery.answers import Accepted
from delivery.boto import install, uninstall
from delivery.clock import Clock
from delivery.context import Context
from delivery.faults import HARSH, HOSTILE, MILD, NONE, Fault, Faults
from delivery.function import Handler
from delivery.items import Items
from delivery.mapping import Mapping
from delivery.reader import Batch, Reader
from delivery.reads import Reads
from delivery.records import Record, Source, make_record
from delivery.settling import settle
from delivery.simulator import Simulator
from delivery.stream import Shard, Stream
from delivery.windows import window_event
from delivery.writes import KilledError, ThrottledError, WriteHook, through

__all__ = [
    "HARSH",
    "HOSTILE",
    "MILD",
    "NONE",
    "Accepted",
    "Batch",
    "Clock",
    "Context",
    "Fault",
    "Faults",
    "Handler",
    "Items",
    "KilledError",
    "Mapping",
    "Reader",
    "Reads",
    "Record",
    "Shard",
    "Simulator",
    "Source",
    "Stream",
    "ThrottledError",
    "WriteHook",
    "install",
    "make_record",
    "settle",
    "through",
    "uninstall",
    "window_event",
]
