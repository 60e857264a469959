"""The simulator as others install it: alone, and pytest finds its fixture."""

import os
import subprocess
import sys
from pathlib import Path

from tests.project.wheel import PIP, simulator

TEST = """
from delivery import Items, Stream, Source

def test_all_is_delivered(simulate):
    seen, stream = [], Stream(Source(keys=["Id"]))
    Items(stream).put({"Id": {"S": "a"}})
    simulate(lambda event, _: seen.extend(event["Records"]), stream).drain()
    assert [each["dynamodb"]["Keys"]["Id"]["S"] for each in seen] == ["a"]
"""


def test_it_is_installed_alone_and_brings_its_fixture(tmp_path: Path) -> None:
    target = tmp_path / "target"
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(target), str(simulator(tmp_path))], check=True)
    assert sorted(path.name.partition("-")[0] for path in target.iterdir()) == ["delivery", "stream_delivery"]
    (tmp_path / "test_it.py").write_text(TEST)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "test_it.py"]
    ran = subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(target)}, capture_output=True, text=True
    )
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr
