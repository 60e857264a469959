"""Verdicts, exit statuses, the table, and what must not be in it."""

import re
from pathlib import Path

from ops.recounting.facts import Name
from verify.__main__ import INTERRUPTED
from verify.facts import Difference, differences
from verify.probing import seen, unseen
from verify.report import Verdict, masked, table

PAGE = (Path(__file__).parents[2] / "docs" / "verifying.md").read_text()
AMY, BOB = Name("USER", ("amy",)), Name("USER", ("bob",))
WRONG = Difference(AMY, "messages", "2", "3", "through the API")


def test_each_field_that_differs_is_named_also_of_what_is_on_one_side_only() -> None:
    found = differences({AMY: {"messages": 2, "rooms": 1}, BOB: {"rooms": 1}}, {AMY: {"messages": 3, "rooms": 1}}, "x")
    assert list(map(str, found)) == [
        "USER amy: messages: 2 expected, 3 found (x)",
        "USER bob: rooms: 1 expected, nothing found (x)",
    ]


def test_nothing_differs_between_equals() -> None:
    assert not list(differences({AMY: {"rooms": 1}}, {AMY: {"rooms": 1}}, "x"))


def test_paths_in_names_are_joined() -> None:
    assert str(Name("HOSTS", (("US", "Texas"), "d1"))) == "HOSTS US/Texas d1"


def test_exact_is_said_only_if_all_was_run() -> None:
    assert (Verdict().status, Verdict().lines()) == (0, ["verify: exact"])
    missing = Verdict(not_run=["the recount: AccessDenied"])
    assert missing.status == 2
    assert missing.lines()[0] == "could not be run: the recount: AccessDenied"
    assert "exact" not in missing.lines()[-1]


def test_a_difference_weighs_more_than_what_was_not_run() -> None:
    verdict = Verdict([WRONG, WRONG], ["the recount"])
    assert verdict.status == 1
    assert verdict.lines() == [
        "USER amy: messages: 2 expected, 3 found (through the API)",
        "could not be run: the recount",
        "verify: 1 differences in 1 aggregates",
    ]


def test_the_page_names_each_last_line_with_its_status() -> None:
    wrong = [WRONG, Difference(AMY, "rooms", "1", "2", "through the API")]
    ends = (Verdict(), Verdict(wrong), Verdict(not_run=["the recount"]))
    told = re.findall(r"^\| `(.+?)` \| (\d+) \|", PAGE, re.MULTILINE)
    assert told == [*((end.lines()[-1], str(end.status)) for end in ends), ("interrupted", str(INTERRUPTED))]


def test_arns_and_accounts_are_masked() -> None:
    arn = "arn:aws:dynamodb:eu-central-1:123456789012:table/edgewise-dev/stream/2026-11-22T14:23:21.808"
    text = f'User: arn:aws-us-gov:sts::123456789012:assumed-role/x/y may not on "{arn}" in 123456789012'
    assert masked(text) == 'User: (arn) may not on "(arn)" in (account)'


def test_long_numbers_that_are_no_accounts_stay() -> None:
    assert masked("4000 records, 000000017953580363520000000001") == "4000 records, 000000017953580363520000000001"


def test_the_table_is_markdown_that_no_text_breaks() -> None:
    lines = table([seen("a-b", True, "x | y\nz of arn:aws:s3:::b"), unseen("c", "why")])
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in lines] == [
        ["assumption", "verdict", "seen"],
        ["-" * 10, "-" * 19, "-" * 16],
        ["a-b", "holds", "x / y z of (arn)"],
        ["c", "not observable here", "why"],
    ]
