"""Pages of a table: one without items is not the last one for that."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from edgewise.dynamodb.pages import every
from edgewise.dynamodb.queries import Query
from edgewise.own import scanning
from edgewise.views.view import kept
from tests.own.orders import OWN, PAID, order, views
from tests.support.own_tables import deployed


def _with_empty_pages(real: Callable[..., Any]) -> Callable[..., Any]:
    """Each second page has nothing, and begins again where it began."""
    asked = list[None]()

    def read(**request: Any) -> Any:
        asked.append(None)
        if len(asked) % 2 or "ExclusiveStartKey" not in request:
            return real(**request)
        return {"Items": [], "LastEvaluatedKey": request["ExclusiveStartKey"], "ConsumedCapacity": {}}

    return read


def test_a_page_without_items_is_not_the_end(aws_env: pytest.MonkeyPatch) -> None:
    view = views().customers
    with deployed(OWN, view) as shop:
        with shop.delivered():
            for number in range(1, 5):
                order(shop, number, 10, **PAID)
        with patch.object(shop.engine, "scan", _with_empty_pages(shop.engine.scan)):
            seen, after, more = list[Any](), None, True
            while more:
                items, after = scanning.page(shop.table, after, 1)
                seen, more = [*seen, *items], after is not None
        assert len([item for item in seen if item["Type"] == {"S": "ITEM"}]) == 4
        with patch.object(shop.engine, "query", _with_empty_pages(shop.engine.query)):
            near = kept(view.declared).places.near(("ann",))
            assert sum(len(page.items) for page in every(shop.table, Query(near.partition).part(1))) == 4
