"""Replacements as puts and as statements, and what is made of the replies."""

from typing import Any, cast

import pytest
from botocore.exceptions import ClientError

from edgewise.dynamodb.attributes import Item, n, s
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.dynamodb.writes import Condition, Put, Replacement, Reply, replies

OLD: Item = {"PK": s("p"), "SK": s("s"), "Version": n(3), "Lacks": s("x"), "GSI1PK": s("list")}
NEW: Item = {"PK": s("p"), "SK": s("s"), "Version": n(4), "Cells": {"M": {"Count": n(1)}}}


def test_a_new_item_needs_that_there_is_none() -> None:
    replacement = Replacement(NEW, None)
    assert replacement.put() == Put(NEW, Condition.ABSENT)
    assert replacement.statement("T") == {
        "Statement": "INSERT INTO \"T\" VALUE {'PK': ?, 'SK': ?, 'Version': ?, 'Cells': ?}",
        "Parameters": [s("p"), s("s"), n(4), {"M": {"Count": n(1)}}],
    }


def test_a_changed_item_needs_the_version_that_was_read_and_loses_what_it_has_no_more() -> None:
    replacement = Replacement(NEW, OLD)
    assert replacement.put() == Put(NEW, Condition.at_version(3))
    assert replacement.statement("T") == {
        "Statement": 'UPDATE "T" SET "Version" = ? SET "Cells" = ? REMOVE "Lacks" REMOVE "GSI1PK"'
        ' WHERE "PK" = ? AND "SK" = ? AND "Version" = ?',
        "Parameters": [n(4), {"M": {"Count": n(1)}}, s("p"), s("s"), n(3)],
    }


CODES = {
    "ConditionalCheckFailed": Reply.REFUSED,
    "DuplicateItem": Reply.REFUSED,
    "ItemCollectionSizeLimitExceeded": Reply.UNCLEAR,
    "RequestLimitExceeded": Reply.UNCLEAR,
    "ValidationError": Reply.UNCLEAR,
    "ProvisionedThroughputExceeded": Reply.UNCLEAR,
    "TransactionConflict": Reply.UNCLEAR,
    "ThrottlingError": Reply.UNCLEAR,
    "InternalServerError": Reply.UNCLEAR,
    "ResourceNotFound": Reply.UNCLEAR,
    "AccessDenied": Reply.UNCLEAR,
    "a code of the future": Reply.UNCLEAR,
}


def test_only_two_errors_say_that_the_item_is_another_one() -> None:
    """All others say nothing of the item, or may pass: taking one of them for an answer would lose the change."""
    told = [{"Error": {"Code": code, "Message": "no"}} for code in CODES]
    assert replies(told) == list(CODES.values())
    assert replies([{"Error": {}}, {"TableName": "T"}, {}]) == [Reply.UNCLEAR, Reply.TAKEN, Reply.TAKEN]


class Answering:
    """In place of a client: gives these replies to statements, and remembers what was sent."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.sent = answers, list[tuple[str, int]]()

    def batch_execute_statement(self, **request: Any) -> Any:
        self.sent.append(("statements", len(request["Statements"])))
        if isinstance(self.answers[0], Exception):
            raise self.answers[0]
        return {"Responses": list(self.answers), "ConsumedCapacity": [{"CapacityUnits": 2.0}]}

    def put_item(self, **_: Any) -> Any:
        self.sent.append(("put", 1))
        if self.answers and isinstance(self.answers[0], Exception):
            raise self.answers[0]
        return {"ConsumedCapacity": {"CapacityUnits": 1.0}}


def replaced(client: Answering, count: int, *, statements: bool) -> tuple[list[Reply], Table]:
    table = Table("T", cast(Any, client), statements=statements)
    return table.replace_many([Replacement(NEW | {"SK": s(f"{number}")}, None) for number in range(count)]), table


def test_one_request_takes_them_all_and_each_has_its_own_reply() -> None:
    refused, throttled = ({"Error": {"Code": code}} for code in ("DuplicateItem", "ThrottlingError"))
    client = Answering({"TableName": "T"}, refused, throttled)
    found, table = replaced(client, 3, statements=True)
    assert (found, client.sent) == ([Reply.TAKEN, Reply.REFUSED, Reply.UNCLEAR], [("statements", 3)])
    assert (table.usage.requests, table.usage.refused, table.usage.write_units) == (1, 1, 2.0)


@pytest.mark.parametrize(("count", "statements"), [(1, True), (3, False)])
def test_a_single_one_goes_as_a_put_and_so_do_all_where_statements_are_not_wanted(count: int, statements: bool) -> None:
    client = Answering()
    found, _ = replaced(client, count, statements=statements)
    assert (found, client.sent) == ([Reply.TAKEN] * count, [("put", 1)] * count)


def error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "BatchExecuteStatement")


@pytest.mark.parametrize("code", ["ValidationException", "AccessDeniedException", "413", "InternalServerError"])
def test_a_request_that_is_refused_as_a_whole_leaves_all_unclear(code: str) -> None:
    """It says nothing of any item: whoever may put, but not send statements, goes on with puts."""
    found, table = replaced(Answering(error(code)), 2, statements=True)
    assert found == [Reply.UNCLEAR, Reply.UNCLEAR]
    assert table.usage.figures()["failures"] == {code: 1}


def test_a_request_whose_statements_are_all_denied_is_counted_with_the_code() -> None:
    """Each goes as a put from then on, and nothing else would tell."""
    denied = {"Error": {"Code": "AccessDenied"}}
    found, table = replaced(Answering(denied, denied), 2, statements=True)
    assert found == [Reply.UNCLEAR, Reply.UNCLEAR]
    assert table.usage.figures()["failures"] == {"AccessDenied": 1}


@pytest.mark.parametrize("first", [{"TableName": "T"}, {"Error": {"Code": "DuplicateItem"}}])
def test_a_request_of_which_something_comes_through_has_not_failed(first: Any) -> None:
    for second in (first, {"Error": {"Code": "ThrottlingError"}}):
        _, table = replaced(Answering(first, second), 2, statements=True)
        assert "failures" not in table.usage.figures()


def test_a_request_that_is_throttled_as_a_whole_is_raised() -> None:
    """Puts in its place would be throttled too."""
    with pytest.raises(ThrottledError):
        replaced(Answering(error("ThrottlingException")), 2, statements=True)


def test_a_passing_error_of_a_put_is_raised() -> None:
    with pytest.raises(ClientError, match="InternalServerError"):
        replaced(Answering(error("InternalServerError")), 2, statements=False)


def test_of_puts_the_refused_and_the_invalid_do_not_stop_the_others() -> None:
    class Choosy(Answering):
        def put_item(self, **request: Any) -> Any:
            codes = {"0": "ConditionalCheckFailedException", "1": "ValidationException"}
            if code := codes.get(request["Item"]["SK"]["S"]):
                raise error(code)
            return super().put_item(**request)

    found, _ = replaced(Choosy(), 3, statements=False)
    assert found == [Reply.REFUSED, Reply.UNCLEAR, Reply.TAKEN]
