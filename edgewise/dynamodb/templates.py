"""Templates of keys, such as `AUDIT#{part}#v{version:09}`: names of fields among constant text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from edgewise.dynamodb.keys import Partitions, join, split

_COMPONENT = re.compile(r"([^{}]*)(?:{(\w+)(?::(0\d+))?})?")


@dataclass(frozen=True, slots=True)
class Component:
    """One component of a key: constant text, then at most one field, which may have a width, such as `09`.

    A width is for the order of numbers in keys alone: such a field is stored beside the key, too.
    """

    text: str
    field: str | None = None
    width: str = ""

    @classmethod
    def of(cls, text: str) -> Self:
        """A component as it is written in a template; raises ValueError for anything else."""
        found = _COMPONENT.fullmatch(text)
        if not found:
            raise ValueError(f"not a component of a template: {text!r}")
        return cls(found[1], found[2], found[3] or "")

    def __str__(self) -> str:
        if not self.field:
            return self.text
        return f"{self.text}{{{self.field}{':' if self.width else ''}{self.width}}}"

    def fits(self, part: str) -> bool:
        """Whether a part of a key may be this component."""
        return part.startswith(self.text) if self.field else part == self.text


@dataclass(frozen=True, slots=True)
class Template:
    """A template, in its components."""

    components: tuple[Component, ...]

    def __str__(self) -> str:
        return "#".join(map(str, self.components))

    @classmethod
    def of(cls, text: str) -> Self:
        """A template as it is declared; raises ValueError if it is none."""
        return cls(tuple(map(Component.of, text.split("#"))))

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of its fields, in their order."""
        return tuple(each.field for each in self.components if each.field)

    @property
    def beginning(self) -> str:
        """What all its keys begin with: `ORDER#` for `ORDER#{id}`, `v_` for `v_{version:09}`."""
        return join(*(each.text for each in self._up_to_the_first_field()))

    def filled(self, *values: str) -> str:
        """The key with these values of its fields, as texts; raises ValueError unless there is one for each."""
        if len(values) != len(self.fields):
            raise ValueError(f"{len(values)} values for {', '.join(self.fields)}")
        left = iter(values)
        return join(*(each.text + (next(left) if each.field else "") for each in self.components))

    def values(self, key: str) -> tuple[str, ...]:
        """The values of the fields in a key, the inverse of filled; raises ValueError for another kind of key."""
        parts = split(key)
        if len(parts) != len(self.components) or not all(map(Component.fits, self.components, parts)):
            raise ValueError(f"not a key of this kind: {key!r}")
        return tuple(part[len(each.text) :] for each, part in zip(self.components, parts, strict=True) if each.field)

    @property
    def stored(self) -> frozenset[str]:
        """The names of the fields that are read from the key."""
        return frozenset(each.field for each in self.components if each.field and not each.width)

    def _up_to_the_first_field(self) -> Iterator[Component]:
        for each in self.components:
            yield each
            if each.field:
                return


def partitions_of(template: Template) -> Partitions:
    """The partitions whose keys a template makes: those of its first component, which rights are given for.

    Raises TypeError unless that is constant and a field follows it; numbers in it must have no width.
    """
    first, *others = template.components
    if first.field or not any(each.field for each in others) or any(each.width for each in others):
        raise TypeError(f"not a template of partitions, such as CUSTOMER#{{id}}: {template}")
    return Partitions(first.text)
