"""Spark, in its own environment but in this process."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from ops.paths import ROOT, SPARK_PYTHON

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.host": "127.0.0.1",
    # Java that runs for seconds spends more on optimizing its code than that brings.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}


@pytest.fixture(scope="session")
def spark(spark_installed: None) -> Iterator[Any]:
    """One session on two cores, for all tests."""
    packages = SPARK_PYTHON.parents[1] / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(packages)])
        # Where the processes of the job find the same Python and the same code.
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(packages))))
        # Else a thread of its gateway would sleep every second, also while other tests have their own way to sleep.
        patch.setenv("PYSPARK_PIN_THREAD", "false")
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[2]")
        for name, value in SETTINGS.items():
            builder = builder.config(name, value)
        with builder.getOrCreate() as session:
            session.sparkContext.setLogLevel("OFF")
            yield session
