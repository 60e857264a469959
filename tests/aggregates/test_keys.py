"""Keys of aggregates, taken apart."""

from collections.abc import Callable

import pytest

from edgewise.aggregates import keys as aggregate_keys


@pytest.mark.parametrize(
    ("parse", "arguments"),
    [
        (aggregate_keys.edge_target, ("EDGE#",)),
        (aggregate_keys.edge_target, ("META",)),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)
