"""The asset: pruned, compiled, and installed once. The packages themselves are stood in for."""

import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from infra import bundle
from tests.infra.conftest import Deployment

UNCHECKED_HASH = 0b01


@pytest.fixture
def installs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The platforms for which dependencies were installed, in order."""
    done: list[str | None] = []

    def install(target: Path, wheel_platform: str | None) -> None:
        done.append(wheel_platform)
        for name in ("botocore/data/dynamodb", "botocore/data/ec2", "boto3/data/ec2", "bin"):
            (target / name).mkdir(parents=True)
        for name in ("botocore/__init__.py", "botocore/data/endpoints.json", "bin/tool"):
            (target / name).write_text("")

    monkeypatch.setattr(bundle, "_install", install)
    monkeypatch.setattr(bundle, "CACHE", tmp_path / "cache")
    return done


@pytest.mark.usefixtures("installs")
def test_holds_our_code_and_only_the_services_in_use(tmp_path: Path) -> None:
    bundle.write_bundle(tmp_path / "out", None)
    names = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*")}
    assert {"functions/settings.py", "botocore/data/dynamodb", "botocore/data/endpoints.json"} <= names
    assert not names & {"botocore/data/ec2", "boto3/data/ec2", "bin", "functions/requirements.txt"}


def test_no_tracer_is_on_the_way_to_the_table() -> None:
    """Lambda's own tracing needs no package; AWS's X-Ray SDK cost CPU for each request, sampled or not."""
    assert "xray" not in bundle.REQUIREMENTS.read_text()
    assert "xray" not in bundle.SERVICES


@pytest.mark.usefixtures("installs")
def test_what_tools_leave_in_the_folder_stays_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "functions"
    for name in ("api.py", "requirements.txt", "store/keys.py", ".mypy_cache/3.11/cache.db", "store/.DS_Store"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text("")
    for name, path in {"ROOT": tmp_path, "SOURCE": source, "REQUIREMENTS": source / "requirements.txt"}.items():
        monkeypatch.setattr(bundle, name, path)
    monkeypatch.setattr(bundle, "__file__", str(tmp_path / "functions" / "api.py"))
    assert [path.name for path in bundle._sources()] == ["api.py", "keys.py"]
    bundle.write_bundle(tmp_path / "out", None)
    files = {path.name for path in (tmp_path / "out" / "functions").rglob("*.*") if path.suffix != ".pyc"}
    assert files == {"api.py", "keys.py"}


@pytest.mark.usefixtures("installs")
@pytest.mark.parametrize("module", ["functions/settings", "botocore/__init__"])
def test_bytecode_is_there_and_does_not_look_at_file_times(module: str, tmp_path: Path) -> None:
    bundle.write_bundle(tmp_path, None)
    folder, name = (tmp_path / module).parent, Path(module).name
    (compiled,) = (folder / "__pycache__").glob(f"{name}.cpython-*.pyc")
    (flags,) = struct.unpack("<I", compiled.read_bytes()[4:8])
    assert flags == UNCHECKED_HASH


def test_dependencies_are_installed_once_per_platform(tmp_path: Path, installs: list[str | None]) -> None:
    for number, wheel_platform in enumerate([None, "manylinux2014_aarch64", None]):
        bundle.write_bundle(tmp_path / str(number), wheel_platform)
    assert installs == [None, "manylinux2014_aarch64"]


def test_a_failed_installation_is_not_taken_for_a_finished_one(
    tmp_path: Path, installs: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install: Callable[[Path, str | None], None] = bundle._install

    def broken(target: Path, wheel_platform: str | None) -> None:
        install(target, wheel_platform)
        raise OSError("the connection was lost")

    with monkeypatch.context() as patch:
        patch.setattr(bundle, "_install", broken)
        with pytest.raises(OSError, match="lost"):
            bundle.write_bundle(tmp_path / "first", None)
    bundle.write_bundle(tmp_path / "second", None)
    assert len(installs) == 2


def test_of_two_installations_at_once_the_later_one_gives_way(
    tmp_path: Path, installs: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install: Callable[[Path, str | None], None] = bundle._install

    def overtaken(target: Path, wheel_platform: str | None) -> None:
        monkeypatch.setattr(bundle, "_install", install)
        bundle.write_bundle(tmp_path / "first", wheel_platform)
        install(target, wheel_platform)

    monkeypatch.setattr(bundle, "_install", overtaken)
    bundle.write_bundle(tmp_path / "second", None)
    assert len(installs) == 2
    assert (tmp_path / "second" / "botocore").exists()


# As if another Python had installed everything.
SYNTH_BY_312 = """
import runpy, sys
import infra.stacks
sys.version_info = (3, 12, 1, "final", 0)
runpy.run_path("app.py", run_name="__main__")
"""


def test_another_python_than_the_functions_own_bundles_nothing(tmp_path: Path) -> None:
    """Its bytecode would be passed over, and nothing would tell but slow starts."""
    context = json.loads((bundle.ROOT / "cdk.json").read_text())["context"]
    env = os.environ | {"CDK_CONTEXT_JSON": json.dumps(context), "CDK_OUTDIR": str(tmp_path)}
    command = [sys.executable, "-c", SYNTH_BY_312]
    tried = subprocess.run(command, cwd=bundle.ROOT, env=env, capture_output=True, text=True)
    assert tried.returncode == 1
    assert tried.stderr.splitlines()[-1].startswith("Python 3.12 can't bundle functions that run on Python 3.11: ")
    assert "Traceback" not in tried.stderr


@pytest.mark.usefixtures("installs")
def test_bytecode_is_that_of_the_functions_python(tmp_path: Path, dev: Deployment) -> None:
    bundle.write_bundle(tmp_path, None)
    (compiled,) = (tmp_path / "functions" / "__pycache__").glob("settings.*.pyc")
    tag = compiled.name.split(".")[1].removeprefix("cpython-")
    assert {function["Runtime"] for function in dev.functions().values()} == {f"python{tag[0]}.{tag[1:]}"}
