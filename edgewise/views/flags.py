"""Conditions that functions of Python make."""

from collections.abc import Callable

from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.views.conditions import Condition, Holds
from edgewise.views.fields import Field
from edgewise.views.made import Function, check_version


class Flag(Field[bool]):
    """Whether something is so, as a function says."""

    form, compared, example, wanted = "condition", (), "", "True or False"

    def read(self, item: Item) -> bool:
        """What the function says of an item; raises ValueError also if it says nothing: a `return` may be missing."""
        if (found := super().read(item)) is None:
            raise ValueError(f"{self.source} must make {self.wanted}, and made None")
        return found

    def encoded(self, value: object) -> Attribute | None:
        """A boolean as an attribute; None: it is none. What else Python takes for true may be a slip."""
        return {"BOOL": value} if isinstance(value, bool) else None

    def decoded(self, found: Attribute) -> bool:
        """Whether it is so."""
        return bool(found["BOOL"])


def condition(version: int = 0) -> Callable[[Callable[[Item], bool]], Condition]:
    """Decorates a function of an item, as DynamoDB sends it, that says True or False: it becomes a condition.

    `version`: of the function, which people raise whenever it says something else of an item: that makes another view.
    An item of which it raises, or says anything else, is set aside for the views that ask it. Raises DeclarationError
    without a version.
    """
    check_version("condition", version)

    def decorated(of: Callable[[Item], bool]) -> Condition:
        flag = Flag()
        flag.make(Function.declared("condition", of, version))
        return Holds(flag)

    return decorated
