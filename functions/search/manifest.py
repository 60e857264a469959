"""The manifest of an index in a bucket: which generations it has, and where the files of each are.

Files of an index never change. Each write adds some, which go into one object, a pack; then the manifest, a single
object, names them. So a reader sees all of a write or nothing, and a write takes two requests.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

from edgewise import Millis
from edgewise.times import SECOND
from functions.search.engine import FORM

# The names of objects: of the manifest, and what those of packs begin with.
MANIFEST, PACKS = "manifest", "packs/"
# The form of generations that don't tell it.
_FIRST_FORM = "1"
# A reader may still copy what an earlier manifest named.
_KEPT = 300 * SECOND


class Piece(NamedTuple):
    """Where a file is: in which pack, from which byte on, how many bytes."""

    pack: str
    start: int
    size: int


@dataclass(frozen=True)
class Generation:
    """One index: its files, the text of the one that says which of them count, and its form (engine.py)."""

    files: Mapping[str, Piece] = field(default_factory=dict)
    meta: str = ""
    form: str = FORM

    @property
    def current(self) -> bool:
        """Whether this release can write to it."""
        return self.form == FORM


@dataclass(frozen=True)
class Manifest:
    """All generations by name. `serving` answers; `building`, if there is one, is being filled, and then serves.

    `dropped`: since when packs have no file of any generation, until they are deleted.
    """

    serving: str
    building: str | None = None
    generations: Mapping[str, Generation] = field(default_factory=dict)
    dropped: Mapping[str, Millis] = field(default_factory=dict)

    @classmethod
    def first(cls, name: str) -> "Manifest":
        """That of an index in which nothing is."""
        return cls(name, generations={name: Generation()})

    def text(self) -> str:
        """The manifest as JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def of(cls, text: str | bytes) -> "Manifest":
        """The inverse of `text`."""
        given = json.loads(text)
        generations = {name: _generation(each) for name, each in given["generations"].items()}
        return cls(given["serving"], given["building"], generations, given["dropped"])

    @property
    def packs(self) -> frozenset[str]:
        """The packs that have files of a generation."""
        return frozenset(piece.pack for each in self.generations.values() for piece in each.files.values())

    def known(self) -> "Manifest":
        """The same without what another release was filling: it lacks what has changed since."""
        if self.building is None or self.generations[self.building].current:
            return self
        return replace(self, building=None, generations={self.serving: self._now})

    def begun(self, name: str) -> "Manifest":
        """The same with a new generation to be filled, in place of one that is not finished."""
        if name in self.generations:
            return self
        return replace(self, building=name, generations={self.serving: self._now, name: Generation()})

    def ended(self, name: str) -> "Manifest":
        """The same once this generation, if it is the one that was filled, serves."""
        if name != self.building:
            return self
        return replace(self, serving=name, building=None, generations={name: self.generations[name]})

    def after(self, before: "Manifest", at: Millis) -> "Manifest":
        """The same as what follows another one: what only that one names is dropped, what was long ago is forgotten."""
        dropped = {**before.dropped, **dict.fromkeys(before.packs - self.packs, at)}
        return replace(self, dropped={pack: since for pack, since in dropped.items() if at - since <= _KEPT})

    @property
    def _now(self) -> Generation:
        return self.generations[self.serving]


def _generation(given: Mapping[str, Any]) -> Generation:
    files = {file: Piece(*piece) for file, piece in given["files"].items()}
    return Generation(files, given["meta"], given.get("form", _FIRST_FORM))
