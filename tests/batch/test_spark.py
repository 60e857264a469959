"""On Spark, a check finds what it finds in one process."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from batch import exports
from batch.comparing import Compared
from batch.exports import Change
from batch.folders import Folder
from batch.found import UNSETTLED
from batch.job import Bucket
from batch.reconcile import Around, Check, Declared, reconciled
from edgewise.dynamodb.attributes import Item
from ops.paths import ROOT, SPARK_PYTHON
from tests.batch.exporting import FROM, FULL, INCREMENT, INSTANT, TO
from tests.batch.histories import happen, world
from tests.batch.test_derived_repairs import plant as misplace
from tests.batch.test_repairs import plant

# One process runs them all: Spark starts once.
pytestmark = pytest.mark.xdist_group("spark")
ITEMS_A_FILE = 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Exports of a table with wrong numbers and wrong derivations, and with a message on its way to its aggregates."""
    random = Random(10)
    with world(random) as each:
        happen(random, each, 60)
        while not (messages := [item for item in each.table.all_items() if item["Type"]["S"] == "MESSAGE"]):
            happen(random, each, 10)
        each.settle()
        plant(random, each, 2)
        misplace(random, each, 9)
        items = each.table.all_items()
    sent = another(messages[0])
    folder = Folder(tmp_path_factory.mktemp("bucket"))
    exports.written(folder.write, FULL, [INSTANT], map(exports.full_line, [*items, sent]), ITEMS_A_FILE)
    changes = [exports.change_line(Change(None, sent, 1))]
    exports.written(folder.write, INCREMENT, [FROM, TO], changes, ITEMS_A_FILE)
    return folder


def another(message: Item) -> Item:
    return message | {"SK": {"S": message["SK"]["S"] + "2"}}


def found(bucket: Bucket) -> Check:
    full, increment = (bucket.files(exports.opened(bucket.read, prefix)) for prefix in (FULL, INCREMENT))
    return reconciled(Declared(), full, Around(increment, since=0, instant=0), lambda _: None)


def in_order(check: Check) -> Check:
    def of(rows: Sequence[Compared]) -> Sequence[Compared]:
        return sorted((replace(row, feeds=tuple(sorted(row.feeds))) for row in rows), key=lambda row: row.key)

    astray = sorted(check.astray, key=lambda row: (row.key, sorted(row.expected)))
    return replace(check, differing=of(check.differing), plan=of(check.plan), astray=astray)


def test_spark_finds_what_one_process_finds(spark: Any, folder: Folder) -> None:
    from batch.distributed import SparkBucket

    expected = in_order(found(folder))
    assert (len(expected.plan), len(expected.wrong)) >= (2, 2)
    assert expected.number(UNSETTLED)
    assert {row.repair["wrong"] for row in expected.astray if row.repair} >= {"entries", "copy", "ranking"}
    assert in_order(found(SparkBucket(spark.sparkContext, folder.root.as_uri()))) == expected


def test_the_command_says_which_file_is_missing(folder: Folder, spark_installed: None) -> None:
    """In Spark's own environment, which has nothing but botocore beside it."""
    told = ("--run", "1", "--bucket", folder.root.as_uri(), "--full", "nowhere", "--out", "result")
    words = [str(SPARK_PYTHON), str(Path("batch", "spark.py")), *told]
    variables = os.environ | {"PYSPARK_PYTHON": str(SPARK_PYTHON), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=ROOT, env=variables, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, "nowhere/manifest-summary.json: it is missing")
