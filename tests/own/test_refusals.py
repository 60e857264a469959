"""A table that can't be as it is declared is refused, with the reason."""

from typing import Any

import pytest

from edgewise import OwnTable, consumer
from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.table import Table
from edgewise.own.errors import WrongKeysError
from edgewise.own.table import BESIDE, TABLE, UnnamedTableError
from tests.own.orders import OWN, views
from tests.support.http import Context


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("",), "partition must be the name of the partition key"),
        ((None,), "partition must be the name"),
        (("pk", "pk"), "sort must be the name of another key, or empty, and not 'pk'"),
        (("pk", None), "sort must be the name of another key, or empty, and not None"),
    ],
)
def test_a_table_that_can_not_be(arguments: tuple[Any, ...], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        OwnTable(*arguments)


@pytest.mark.parametrize("forms", ["S", "SSS", "SX", "ss"])
def test_a_form_of_keys_that_dynamodb_does_not_have(forms: str) -> None:
    with pytest.raises(DeclarationError, match="forms must have a letter for each key"):
        OwnTable("customer", "what", forms)


def test_a_table_that_nothing_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (TABLE, BESIDE):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UnnamedTableError, match=r"Set TABLE_NAME in the environment, .* or name="):
        OWN.open()
    with pytest.raises(UnnamedTableError, match=r"Set AGGREGATES_TABLE_NAME in the environment, .* or beside="):
        OwnTable("customer").open("shop")


@pytest.mark.parametrize("keys", [{"pk": {"S": "a"}, "sk": {"S": "b"}}, {"customer": {"S": "a"}, "what": {"N": "1"}}])
def test_a_stream_of_a_table_with_other_keys_is_refused_with_its_first_record(keys: Any) -> None:
    record = {"dynamodb": {"Keys": keys, "SequenceNumber": "1"}, "eventSourceARN": ""}
    kept = consumer(views().customers, table=lambda: Table("shop", object()))  # type: ignore[arg-type]
    with pytest.raises(WrongKeysError, match=r"but it is declared as customer \(S\), what \(S\)"):
        kept({"Records": [record]}, Context())
