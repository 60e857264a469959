"""Functions of Python in declarations: they stand in a version by their names and the numbers that people give them."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from delivery import NONE
from edgewise.aggregates.catalog import DeclarationError
from edgewise.errors import PassingError
from edgewise.views import (
    Instant,
    Items,
    Number,
    Text,
    Texts,
    View,
    condition,
    count,
    distinct,
    each_of,
    group_by,
    hour_of,
    sum_of,
    top,
)
from tests.support.own_tables import TOLD, Shop
from tests.views.shop import SHOP, Bought, Customers, Order, put


@Text.made(version=1)
def initial(item: Any) -> str | None:
    """Grouped by what no attribute has."""
    return item["product"]["S"][0] if "product" in item else None


@condition(version=1)
def is_odd(item: Any) -> bool:
    return bool(int(item["sk"]["S"].removeprefix("order-")) % 2)


@Number.made(version=1)
def gross(item: Any) -> Decimal:
    return Decimal(item["price"]["M"]["net"]["N"]) * Decimal("1.19")


class Initials(View, of=Order, where=Order.status != "cancelled"):
    letter = group_by(initial)
    orders, odd, paid = count(), count(where=is_odd & (Order.net > 5)), sum_of(gross)


def _version(**columns: Any) -> str:
    make: Any = type(View)
    return str(make("Made", (View,), {"items": count(), **columns}, of=Order).declared.version)


def _initial(item: Any) -> str | None:
    return None


def _text(of: Callable[[Any], Any] = _initial, version: int = 1) -> Text:
    return Text.made(version=version)(of)


def test_the_version_of_a_function_changes_the_views_and_its_body_does_not() -> None:
    def other(item: Any) -> str | None:
        return "other"

    was = _version(key=group_by(_text()))
    other.__name__ = "_initial"
    assert _version(key=group_by(_text(other))) == was
    assert _version(key=group_by(_text(version=2))) != was
    other.__name__ = "other"
    assert _version(key=group_by(_text(other))) != was
    assert _version(key=group_by(Text("_initial"))) != was


def test_the_version_of_a_condition_changes_the_views_and_its_body_does_not() -> None:
    def other(item: Any) -> bool:
        return True

    def said(of: Callable[[Any], bool], version: int = 1) -> str:
        return _version(odd=count(where=condition(version=version)(of)))

    def is_odd(item: Any) -> bool:
        return False

    was = said(is_odd)
    assert said(is_odd, 2) != was
    assert said(other) != was
    other.__name__ = "is_odd"
    assert said(other) == was


def test_the_canonical_form_stays() -> None:
    """Changing it loses the rows of all who have declared it so."""
    assert (initial.canonical, is_odd.canonical) == (["made", "text", "initial", 1], ["made", "condition", "is_odd", 1])
    assert (~is_odd).canonical == ["not", ["made", "condition", "is_odd", 1]]


@pytest.mark.parametrize(
    ("declaring", "why"),
    [
        (lambda: Text.made(), r"Text.made needs the version of its function: write @Text.made\(version=1\)"),
        (lambda: Text.made(_initial), r"write @Text.made\(version=1\)\. It is 1 at first, and another number whenever"),  # type: ignore[arg-type]
        (lambda: Number.made(version=0), r"Number.made needs the version"),
        (lambda: Text.made(version=True), r"Text.made needs the version"),
        (lambda: condition(), r"condition needs the version of its function: write @condition\(version=1\)"),
        (lambda: condition(_initial), r"condition needs the version"),  # type: ignore[arg-type]
        (lambda: _text(lambda item: "a"), r"decorates a function, whose name stands in the version of a view: def"),
        (lambda: condition(version=1)("is_odd"), r"@condition\(version=1\) decorates a function, .* not 'is_odd'"),  # type: ignore[arg-type]
        (
            lambda: _made(Bought, key=group_by(initial)),
            r"initial\(\) is a function of an item, and Made counts rows of",
        ),
        (lambda: _made(Bought, odd=count(where=is_odd)), r"is_odd\(\) is a function .* let Bought ask it"),
        (lambda: _made(Order, a=group_by(initial), b=distinct(initial)), r"have the same initial\(\), by a: leave it"),
        (lambda: sum_of(initial), r"sum_of needs a field that is declared as Number\(\), and not initial"),  # type: ignore[arg-type]
    ],
)
def test_what_is_refused(declaring: Callable[[], Any], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        declaring()


def _made(of: Any, **columns: Any) -> Any:
    make: Any = type(View)
    return make("Made", (View,), {"items": count(), **columns}, of=of)


def _of(form: Any, value: Any) -> Any:
    def function(item: Any) -> Any:
        return value

    return form.made(version=1)(function)


BERLIN = timezone(timedelta(hours=1))


@pytest.mark.parametrize(
    ("form", "made", "read"),
    [
        (Text, "a", "a"),
        (Number, Decimal("1.50"), Decimal("1.5")),
        (Number, 3, Decimal(3)),
        (Instant, datetime(2026, 11, 30, 1, tzinfo=BERLIN), datetime(2026, 11, 30, tzinfo=UTC)),
        (Texts, ("a", "b", "a"), ("a", "b")),
        (Text, None, None),
    ],
)
def test_a_function_makes_a_value_of_the_fields_type(form: Any, made: Any, read: Any) -> None:
    assert _of(form, made).read({}) == read


@pytest.mark.parametrize(
    ("form", "made", "why"),
    [
        (Text, 7, r"function\(\) must make a text or None, and made 7"),
        (Number, 1.5, r"function\(\) must make a Decimal or None, and made 1\.5"),
        (Number, True, r"function\(\) must make a Decimal or None"),
        (Number, Decimal("NaN"), r"function\(\) must be a number"),
        (Number, Decimal("1E+309"), r"function\(\) .*between .* and 1\.7976931348623157e.308"),
        (Instant, datetime(2026, 11, 30), r"function\(\) must make a datetime with a zone, or None"),
        (Texts, ["a"], r"function\(\) must make a tuple of texts or None"),
        (Texts, tuple(map(str, range(101))), r"function\(\) has 101 different texts"),
    ],
)
def test_another_value_is_told_by_the_functions_name(form: Any, made: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        _of(form, made).read({})


@pytest.mark.parametrize("said", [1, "yes", None, {"BOOL": False}])
def test_a_condition_says_true_or_false(said: Any) -> None:
    def is_so(item: Any) -> Any:
        return said

    with pytest.raises(ValueError, match=r"is_so\(\) must make True or False, and made"):
        condition(version=1)(is_so).holds({})


def test_what_a_function_raises_is_told_whatever_the_order_of_conditions() -> None:
    with pytest.raises(ValueError, match=r"is_odd\(\) raised KeyError: 'sk'"):
        is_odd.holds({})
    for both in (is_odd & (Order.status == "open"), (Order.status == "open") & is_odd):
        assert both.holds({"status": {"S": "paid"}}) is False


def test_what_may_pass_is_raised() -> None:
    def ask(item: Any) -> str:
        raise PassingError

    with pytest.raises(PassingError):
        _text(ask).read({})


def test_they_are_fields_like_others() -> None:
    columns: dict[str, Any] = {
        "hour": group_by(hour_of(_of(Instant, None))),
        "tag": group_by(each_of(_of(Texts, None))),
        "initials": distinct(initial),
        "some": count(where=initial.isin("a", "b") | ~initial.exists()),
        "best": top(initial, by=(orders := count())),
        "orders": orders,
    }
    told = str(_made(Order, **columns).explain({"pk": {"S": "ann"}, "sk": {"S": "order-1"}}))
    assert "best: a total for each group and initial()" in told


def test_one_within_a_class_is_called_as_there_but_its_version_is_the_functions() -> None:
    class Sorted(Items, table=SHOP):
        sort = _text()

    assert (repr(Sorted.sort), repr(_text())) == ("Sorted.sort", "_initial")
    assert Sorted.sort.canonical == _text().canonical
    assert Sorted.sort.path == "", "which an attribute of that name would have"
    with pytest.raises(DeclarationError, match=r"Sorted\.sort is no field of Order"):
        _version(key=group_by(Sorted.sort))


def test_rows_by_functions_are_exact_and_what_one_can_not_read_is_set_aside_for_its_view() -> None:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(Initials, Customers)
    with shop.delivered():
        put(shop, "ann", 1, net=10, product="tea", status="open")
        put(shop, "ann", 2, net=20, product="tin", status="open")
        put(shop, "bob", 3, net=4, product="tea", status="open")
        put(shop, "bob", 5, net=7, product="mug", status="cancelled")
        put(shop, "cy", 1, product="pot", status="open")
        shop.drain()
        shop.owner.delete_item(TableName="shop", Key={"pk": {"S": "ann"}, "sk": {"S": "order-2"}})
    row = Initials.get(shop.table, fresh=TOLD, letter="t")
    assert (row.orders, row.odd, row.paid) == (2, 1, Decimal("16.66"))
    assert row.complete
    assert Initials.get(shop.table, fresh=TOLD, letter="p").complete is False
    assert Customers.get(shop.table, fresh=TOLD, customer="cy").complete is True
    (aside,) = shop.command(do="list")["records"]
    assert aside["error"] == f"{Initials.declared.full_name}: ValueError: gross() raised KeyError: 'price'"
