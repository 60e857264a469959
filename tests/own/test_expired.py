"""Nobody lets the owner's table expire what the engine keeps for a time: the sweep removes it."""

from collections.abc import Iterator

import pytest
from moto import mock_aws

from delivery import NONE
from edgewise import OwnTable, clock
from edgewise.freshness import keys
from edgewise.freshness.watermarks import Reached, Watermark, replacing
from edgewise.times import DAY
from tests.own.orders import views
from tests.support.own_tables import Shop


@pytest.fixture(autouse=True)
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws():
        yield


@pytest.mark.parametrize("apart", [False, True])
def test_what_says_how_far_a_shard_came_leaves_two_days_after_it_is_over(apart: bool) -> None:
    own = OwnTable("customer", "what", apart=apart)
    shop = Shop(own, 1, NONE)
    shop.deploy(views(own).products)
    with shop.delivered():
        for shard in ("over", "lasting"):
            shop.table.write(replacing(Watermark(shard).moved(Reached(*[clock.now()] * 4), ())))
        assert shop.command(do="sweep")["removed"] == 0
        shop.wait(DAY / 1000)
        lasting = Watermark("lasting", 1).moved(Reached(*[clock.now()] * 4), ())
        shop.table.write(replacing(lasting))
        shop.wait(1.5 * DAY / 1000)
        assert shop.command(steps=1, do="sweep")["complete"] is False
        swept = shop.command(do="sweep")
    assert (swept["removed"], swept["complete"]) == (1, True)
    left = shop.table.get_many([keys.watermark("over"), keys.watermark("lasting")])
    assert set(left) == {keys.watermark("lasting")}
