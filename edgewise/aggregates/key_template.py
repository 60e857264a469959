"""Keys as templates: what an aggregate, or another item, is about makes its key, and is read from it.

Templates are turned into the source of two functions, as `dataclasses` does it: the consumer makes many keys.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, NoReturn, get_origin

from edgewise.aggregates.keys import SUMMARY, Dimension
from edgewise.dynamodb.keys import Key, join, split
from edgewise.dynamodb.templates import Template, partitions_of
from edgewise.times import Millis, from_rfc_3339, rfc_3339


class Form(NamedTuple):
    """How a dimension is written: in a key and back, as source; and by people.

    `length`: how many components it takes; None: all that are left. `named` gives the dimension that people wrote; it
    raises TypeError or ValueError if it can't be one.
    """

    components: str
    dimension: str
    length: int | None
    written: Literal["text", "path", "instant"]
    named: Callable[[Any], Dimension]


class KeyTemplate:
    """Keys of aggregates or of other items, such as `KeyTemplate("USER#{user}", "EDGE#POSTED_IN#ROOM#{room}")`.

    Without `sort`, they are of the summaries of partitions. A dimension is a text, unless `types` says otherwise:
    `Millis` is an instant; `tuple[str, ...]` is a path, which ends its template; a named tuple of texts has a component
    for each of its fields. Raises TypeError for templates that make no keys.
    """

    def __init__(self, partition: str | Template, sort: str | Template = SUMMARY, **types: Any) -> None:
        templates = [each if isinstance(each, Template) else Template.of(each) for each in (partition, sort)]
        self.partitions = partitions_of(templates[0])
        names = [name for template in templates for name in template.fields]
        if len(set(names)) < len(names) or types.keys() - set(names):
            raise TypeError(f"each dimension is once in {partition} {sort}: {', '.join((*names, *types))}")
        self.forms = {name: _form(name, types.get(name, str)) for name in names}
        scope = {**_SCOPE, **{f"type_{name}": of for name, of in types.items()}}
        exec(_source(templates, self.forms), scope)  # noqa: S102 - made of the declaration alone
        self._key, self._parse = scope["key"], scope["parse"]

    def __call__(self, *dimensions: Dimension) -> Key:
        """The key of the aggregate with these dimensions; raises TypeError or ValueError if there is none."""
        made: Key = self._key(*dimensions)
        return made

    def parse(self, pk: str, sk: str) -> tuple[Any, ...]:
        """The dimensions of a key; raises ValueError for another kind of key."""
        found: tuple[Any, ...] = self._parse(pk, sk)
        return found

    def named(self, *dimensions: Any) -> tuple[Dimension, ...]:
        """The dimensions that people wrote, lists as tuples; raises TypeError or ValueError for what can't be some."""
        if len(dimensions) != len(self.forms):
            raise ValueError(f"{len(dimensions)} given, needed are {', '.join(self.forms)}")
        return tuple(form.named(of) for form, of in zip(self.forms.values(), dimensions, strict=True))


class _Laid(NamedTuple):
    """A template as source: the components of its key, the tests that a split key passes, and its dimensions."""

    components: Sequence[str]
    tests: Sequence[str]
    dimensions: Sequence[str]

    @classmethod
    def of(cls, template: Template, forms: Mapping[str, Form], key: str) -> "_Laid":
        """`key`: the name of the split key."""
        components, tests, dimensions = list[str](), list[str](), list[str]()
        at = 0  # where in the key; below zero: a path has taken all that is left
        for each in template.components:
            if at < 0 or (each.field and (each.text or each.width)):
                raise TypeError(f"a dimension is a component of its own, and a path is the last: {template}")
            if each.field:
                form = forms[each.field]
                components.append(form.components.format(f"of_{each.field}"))
                dimensions.append(form.dimension.format(key, at, at + (form.length or 0)))
                at = at + form.length if form.length else -at - 1
            else:
                components.append(repr(each.text))
                tests.append(f"{key}[{at}] == {each.text!r}")
                at += 1
        return cls(components, [f"len({key}) == {at}" if at > 0 else f"len({key}) >= {-at}", *tests], dimensions)


def _source(templates: Sequence[Template], forms: Mapping[str, Form]) -> str:
    of_partition, of_sort = (_Laid.of(template, forms, key) for template, key in zip(templates, "ps", strict=True))
    return "\n".join(
        (
            f"def key({', '.join(f'of_{name}' for name in forms)}):",
            f" return Key(join({', '.join(of_partition.components)}), join({', '.join(of_sort.components)}))",
            "def parse(pk, sk):",
            " p, s = split(pk), split(sk)",
            f" if not ({' and '.join((*of_partition.tests, *of_sort.tests))}): foreign(pk, sk)",
            f" return ({', '.join((*of_partition.dimensions, *of_sort.dimensions))},)",
        )
    )


def _form(name: str, of: Any) -> Form:
    """The form of a dimension of a type; raises TypeError for all types that no dimension has."""
    if of is str:
        return Form("{}", "{}[{}]", 1, "text", _text)
    if of == Millis:
        return Form("rfc_3339({})", "from_rfc_3339({}[{}])", 1, "instant", _instant)
    if get_origin(of) is tuple:
        return Form("*{}", "{}[{}:]", None, "path", _path)
    if isinstance(of, type) and issubclass(of, tuple) and (fields := getattr(of, "_fields", ())):
        return Form("*{}", f"type_{name}(*{{}}[{{}}:{{}}])", len(fields), "path", lambda told: of(*_path(told)))
    raise TypeError(f"no dimension is a {of}")


def _text(told: Any) -> str:
    if not isinstance(told, str):
        raise TypeError(f"a text names what has one component, not {told!r}")
    return told


def _instant(told: Any) -> Millis:
    return from_rfc_3339(told) if isinstance(told, str) else int(told)


def _path(told: Any) -> tuple[str, ...]:
    if not isinstance(told, tuple):
        raise TypeError(f"a list names what has several components, not {told!r}")
    return told


def _foreign(pk: str, sk: str) -> NoReturn:
    raise ValueError(f"not a key of this kind: {pk} {sk}")


_SCOPE: Mapping[str, Any] = {
    **{each.__name__: each for each in (Key, join, split, rfc_3339, from_rfc_3339)},
    "foreign": _foreign,
}
