"""The job starts from its archive alone: of what it imports nothing is missing, and nothing needs a native library."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infra.batch import code

# As in Spark: the archive comes before Python's own modules, and there is nothing else.
START = """
import sys
sys.path[:] = [sys.argv[1], *(path for path in sys.path if "site-packages" not in path)]
import batch.job, batch.reconcile, functions.catalog
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("code")
    code.write_archive(folder, None)
    return folder


def test_the_job_starts_from_its_archive_alone(folder: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "archive"), "zip", folder)
    command = [sys.executable, "-S", "-c", START, archive]
    started = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert started.returncode == 0, started.stderr
    assert not list(folder.rglob("*.so"))


def test_the_archive_has_what_the_job_imports_and_no_routes(folder: Path) -> None:
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert {"batch/spark.py", "batch/job.py", "functions/catalog.py"} <= names
    assert "batch/__main__.py" not in names
    assert not {name for name in names if name.endswith("/routes.py")}
    assert not (folder / "botocore" / "data").exists()
