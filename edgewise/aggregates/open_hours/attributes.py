"""The open part of an aggregate as attributes of its item.

- `Open`: the open cells, packed
- `Closings`: the last closings, packed, the newest last
- `Closing`: only in the item of the very put that closed something: the number of that closing, as a text by which the
  stream can be filtered

And one of an aggregate that closings feed: `Closed`, the number of the last that it has absorbed.

An item is billed by the kilobyte and written with each reading, so this is JSON, compressed: `{bucket: {rest: cell}}`.
"""

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from edgewise.aggregates.cells import pack, pack_extremes, unpack, unpack_extremes
from edgewise.aggregates.measures import Cell, Delta, Extremes
from edgewise.aggregates.open_hours.hours import Closing, OpenPart
from edgewise.dynamodb.attributes import Attribute, Item, integer, n, s, string
from edgewise.times import Millis

CLOSING = "Closing"
# An item holds at most 400 KB. These are the bytes for closings that stay for readers. There are few of them, unless
# the consumer is far behind and the device closes something with each batch.
KEPT_ROOM = 100_000
# When the bucket of a cell begins.
Start = Callable[[str], Millis]
# Whether to unpack the cell with this name.
Wanted = Callable[[str], bool]
# Without zlib's header and check sum. These parts are small: a window of 4 KB, and little memory, compress them as well
# as zlib's defaults do, in a sixth of the time, most of which is spent on making the memory ready.
_RAW, _MEMORY = -12, 5
_JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class _Stored(Mapping[str, Delta]):
    """The cells of a closing as the item has them: the consumer puts them with each reading, and looks at none."""

    def __init__(self, packed: Mapping[str, Any], start: Start) -> None:
        self.packed, self._start = packed, start

    @cached_property
    def _cells(self) -> Mapping[str, Delta]:
        return _read_deltas(self.packed, self._start, every)

    def __getitem__(self, name: str) -> Delta:
        return self._cells[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)


def open_item(part: OpenPart, version: int, start: Start) -> Item:
    """The attributes of an open part."""
    item: Item = {}
    if part.cells:
        item["Open"] = _packed(_nested({name: _cell(cell, start(name)) for name, cell in part.cells.items()}))
    if part.closings:
        item["Closings"] = _packed_closings([_closing(closing, start) for closing in part.closings])
        if part.closings[-1].number == version:
            item[CLOSING] = s(str(version))
    return item


def closed(item: Item) -> int:
    """The number of the last closing that an item has absorbed; 0 if none."""
    return integer(item["Closed"]) if "Closed" in item else 0


def closed_item(number: int) -> Item:
    """The attribute of an aggregate that has absorbed closings up to this number."""
    return {"Closed": n(number)}


def every(_: str) -> bool:
    """The `wanted` of those who want all cells."""
    return True


def open_part(item: Item, start: Start) -> OpenPart:
    """The inverse of open_item."""
    packed = _unpacked(item["Closings"]) if is_kept(item) else ()
    kept = (Closing(number, at, _Stored(cells, start), heard) for number, at, cells, heard in packed)
    return OpenPart(_open_cells(item, start, every), tuple(kept))


def for_reader(item: Item, start: Start, wanted: Wanted) -> OpenPart:
    """The same, as far as the names of cells are wanted."""
    return OpenPart(_open_cells(item, start, wanted), closings(item, start, wanted))


def _open_cells(item: Item, start: Start, wanted: Wanted) -> dict[str, Cell]:
    cells = _flat(_unpacked(item["Open"]), wanted) if "Open" in item else {}
    return {name: _read_cell(packed, start(name)) for name, packed in cells.items()}


def closings(item: Item, start: Start, wanted: Wanted = every) -> tuple[Closing, ...]:
    """The closings that an item keeps for readers, the newest last."""
    packed = _unpacked(item["Closings"]) if is_kept(item) else ()
    return tuple(_read_closing(each, start, wanted) for each in packed)


def unacknowledged(item: Item, start: Start, before: Millis) -> tuple[Closing, ...]:
    """The closings kept that nobody knows all that they feed to have absorbed, of those until an instant."""
    asked = [each for each in _unpacked(item["Closings"]) for _, at, _, heard in [each] if at <= before and not heard]
    return tuple(_read_closing(each, start, every) for each in asked)


def is_kept(item: Item) -> bool:
    """Whether an item keeps closings for readers."""
    return "Closings" in item


def closing_of(item: Item, start: Start) -> Closing | None:
    """The closing that the put of this very item made, if it made one."""
    version = integer(item["Version"])
    if not is_of_this_put(item, version):
        return None
    return next(_read_closing(each, start, every) for each in _unpacked(item["Closings"]) if each[0] == version)


def is_of_this_put(item: Item, version: int) -> bool:
    """Whether the put that made this version of an item closed something."""
    return CLOSING in item and string(item[CLOSING]) == str(version)


def _closing(closing: Closing, start: Start) -> list[Any]:
    cells = closing.cells
    packed = cells.packed if isinstance(cells, _Stored) else _nested({k: _delta(v, start(k)) for k, v in cells.items()})
    return [closing.number, closing.at, packed, closing.acknowledged]


def _read_closing(packed: list[Any], start: Start, wanted: Wanted) -> Closing:
    number, at, cells, acknowledged = packed
    return Closing(number, at, _read_deltas(cells, start, wanted), acknowledged)


def _read_deltas(cells: Mapping[str, Any], start: Start, wanted: Wanted) -> dict[str, Delta]:
    return {name: _read_delta(each, start(name)) for name, each in _flat(cells, wanted).items()}


def _delta(delta: Delta, start: Millis) -> Any:
    cell = _cell(delta, start)
    return [cell, string(pack_extremes(delta.removed))] if delta.retracts else cell


def _read_delta(packed: Any, start: Millis) -> Delta:
    plain, gone = packed if isinstance(packed, list) else (packed, None)
    cell = _read_cell(plain, start)
    removed = Extremes() if gone is None else unpack_extremes(s(gone))
    return Delta(cell.count, cell.total, cell.extremes, removed, retracts=gone is not None)


def _cell(cell: Cell, start: Millis) -> str | int:
    """A count alone is a number, everything else a text, as in attributes."""
    packed = pack(cell, start)
    return integer(packed) if "N" in packed else string(packed)


def _read_cell(packed: str | int, start: Millis) -> Cell:
    return unpack(n(packed) if isinstance(packed, int) else s(packed), start)


def _nested(cells: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
    for name in sorted(cells):
        bucket, _, rest = name.partition(".")
        nested.setdefault(bucket, {})[rest] = cells[name]
    return nested


def _flat(nested: Mapping[str, Mapping[str, Any]], wanted: Wanted) -> dict[str, Any]:
    named = ((f"{bucket}.{rest}", cell) for bucket, cells in nested.items() for rest, cell in cells.items())
    return {name: cell for name, cell in named if wanted(name)}


def _packed_closings(plain: Sequence[Any]) -> Attribute:
    """As many of the last closings as have room."""
    packed = _packed(plain)
    if len(packed["B"]) <= KEPT_ROOM or len(plain) == 1:
        return packed
    return _packed_closings(plain[-(len(plain) // 2) :])


def _packed(plain: Any) -> Attribute:
    compressor = zlib.compressobj(9, zlib.DEFLATED, _RAW, _MEMORY)
    return {"B": compressor.compress(_JSON.encode(plain).encode()) + compressor.flush()}


def _unpacked(packed: Attribute) -> Any:
    found = packed["B"]
    # In the events of a stream, binary values are texts.
    return json.loads(zlib.decompress(base64.b64decode(found) if isinstance(found, str) else found, _RAW))
