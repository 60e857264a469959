"""The bundles: pruned, compiled, and installed once. The packages themselves are stood in for."""

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from py_compile import PyCompileError

import pytest

from infra import botocore_data, bundle
from infra.functions import FUNCTIONS
from tests.infra.conftest import Deployment

UNCHECKED_HASH = 0b01


@pytest.fixture
def installs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The platforms for which dependencies were installed, in order."""
    done: list[str | None] = []

    def install(target: Path, wheel_platform: str | None, *_: object) -> None:
        done.append(wheel_platform)
        for name in ("botocore/data/dynamodb", "botocore/data/ec2", "bin"):
            (target / name).mkdir(parents=True)
        for name in ("botocore/__init__.py", "bin/tool"):
            (target / name).write_text("")
        (target / "botocore/data/endpoints.json").write_text('{"partitions": []}')
        (target / "botocore/cacert.pem").write_text("")

    monkeypatch.setattr(bundle, "_install", install)
    monkeypatch.setattr(bundle, "CACHE", tmp_path / "cache")
    return done


@pytest.mark.usefixtures("installs")
def test_the_layer_holds_only_the_services_in_use_where_lambda_looks(tmp_path: Path) -> None:
    bundle.write_layer(tmp_path, None)
    names = _names(tmp_path)
    assert {"python/botocore/data/dynamodb", "python/botocore/data/endpoints.json"} <= names
    assert not names & {"python/botocore/data/ec2", "python/bin"}
    assert not any("functions" in name for name in names)


def test_a_functions_code_is_its_own_system_and_what_all_share(tmp_path: Path) -> None:
    bundle.write_code("chat", tmp_path)
    names = _names(tmp_path)
    assert {"functions/systems/chat/routes.py", "functions/web/http.py", "edgewise/dynamodb/table.py"} <= names
    assert {name.split("/")[2] for name in names if name.startswith("functions/systems/")} == {
        "__init__.py",
        "__pycache__",
        "chat",
    }
    assert not names & {"edgewise/stream", "functions/catalog.py", "functions/requirements.txt"}


def test_a_file_that_is_no_module_goes_with_the_module_that_names_it(tmp_path: Path) -> None:
    having = set()
    for name in FUNCTIONS:
        bundle.write_code(name, tmp_path / name)
        if "functions/systems/api/openapi.json" in _names(tmp_path / name):
            having.add(name)
    assert having == {"api"}


def test_what_tools_leave_in_the_folder_stays_there(tmp_path: Path) -> None:
    root = tmp_path / "root"
    names = (
        "functions/handlers/sweeper.py",
        "functions/requirements.txt",
        "functions/handlers/notes.txt",
        "functions/handlers/.mypy_cache/cache.db",
        "functions/handlers/.DS_Store",
    )
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    bundle.write_code("sweeper", tmp_path / "out", root)
    assert {path.name for path in (tmp_path / "out").rglob("*.*") if path.suffix != ".pyc"} == {"sweeper.py"}


def test_an_edit_changes_the_functions_that_import_it_alone(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for folder in ("edgewise", "functions"):
        shutil.copytree(bundle.ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))

    def changed_by(file: str) -> set[str]:
        before = {name: bundle.code_digest(name, root) for name in FUNCTIONS}
        with (root / file).open("a") as source:
            source.write("# edited\n")
        return {name for name in FUNCTIONS if bundle.code_digest(name, root) != before[name]}

    readers = {"edge_aggregator", "cascade", "last_line", "redrive", "batch_repair", "batch_verify"}
    readers |= {"operations", "quarantine", "search", "indexer", "sweeper", "proof"}
    # What subscribers are sent is read by the same routes, and `socket` checks addresses by them.
    assert changed_by("functions/systems/chat/routes.py") == {"chat", "pusher", "socket"}
    assert changed_by("functions/systems/chat/codec.py") == {"chat", "pusher", "socket", *readers}
    assert changed_by("functions/systems/telemetry/codec.py") == {"telemetry", "places", "pusher", "socket", *readers}
    assert changed_by("edgewise/dynamodb/table.py") == set(FUNCTIONS)
    assert changed_by("functions/systems/api/openapi.json") == {"api"}


def test_another_python_makes_other_bundles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the one in the account, or in `.build/`, would be taken again, with bytecode that is ignored."""

    def made() -> list[str]:
        return [bundle.code_digest("chat"), bundle.layer_digest(None), bundle.deployment_digest()]

    before = made()
    monkeypatch.setattr(bundle, "python_version", lambda: "3.0")
    assert not set(made()) & set(before)


@pytest.mark.parametrize("file", ["stages/local.toml", "infra/stages.py", "infra/table.py", "cdk.json"])
def test_an_edit_of_what_templates_are_made_from_changes_the_deployment(file: str, tmp_path: Path) -> None:
    for folder in ("edgewise", "functions", "infra", "stages"):
        shutil.copytree(bundle.ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "cdk.json"):
        shutil.copy(bundle.ROOT / name, tmp_path / name)
    before = bundle.deployment_digest(tmp_path)
    with (tmp_path / file).open("a") as source:
        source.write("\n")
    assert bundle.deployment_digest(tmp_path) != before


@pytest.mark.parametrize("line", ["def", "return 1"], ids=["not parsed", "not compiled"])
def test_a_syntax_error_names_its_file_and_is_not_bundled(line: str, tmp_path: Path) -> None:
    source = tmp_path / "functions" / "handlers" / "sweeper.py"
    source.parent.mkdir(parents=True)
    source.write_text(line)
    with pytest.raises((SyntaxError, PyCompileError), match=r"sweeper\.py") as found:
        bundle.write_code("sweeper", tmp_path / "out", tmp_path)
    assert "line 1" in str(found.value)


def test_no_tracer_is_on_the_way_to_the_table() -> None:
    """Lambda's own tracing needs no package; AWS's X-Ray SDK cost CPU for each request, sampled or not."""
    assert "xray" not in bundle.REQUIREMENTS.read_text()
    assert "xray" not in botocore_data.SERVICES


@pytest.mark.usefixtures("installs")
@pytest.mark.parametrize("module", ["functions/settings", "python/botocore/__init__"])
def test_bytecode_is_there_and_does_not_look_at_file_times(module: str, tmp_path: Path) -> None:
    bundle.write_code("sweeper", tmp_path)
    bundle.write_layer(tmp_path, None)
    folder, name = (tmp_path / module).parent, Path(module).name
    (compiled,) = (folder / "__pycache__").glob(f"{name}.cpython-*.pyc")
    (flags,) = struct.unpack("<I", compiled.read_bytes()[4:8])
    assert flags == UNCHECKED_HASH


def _names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_dependencies_are_installed_once_per_platform(tmp_path: Path, installs: list[str | None]) -> None:
    for number, wheel_platform in enumerate([None, "manylinux2014_aarch64", None]):
        bundle.write_layer(tmp_path / str(number), wheel_platform)
    assert installs == [None, "manylinux2014_aarch64"]


def test_a_failed_installation_is_not_taken_for_a_finished_one(
    tmp_path: Path, installs: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install: Callable[..., None] = bundle._install

    def broken(target: Path, wheel_platform: str | None, *_: object) -> None:
        install(target, wheel_platform)
        raise OSError("the connection was lost")

    with monkeypatch.context() as patch:
        patch.setattr(bundle, "_install", broken)
        with pytest.raises(OSError, match="lost"):
            bundle.write_layer(tmp_path / "first", None)
    bundle.write_layer(tmp_path / "second", None)
    assert len(installs) == 2


def test_of_two_installations_at_once_the_later_one_gives_way(
    tmp_path: Path, installs: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    install: Callable[..., None] = bundle._install

    def overtaken(target: Path, wheel_platform: str | None, *_: object) -> None:
        monkeypatch.setattr(bundle, "_install", install)
        bundle.write_layer(tmp_path / "first", wheel_platform)
        install(target, wheel_platform)

    monkeypatch.setattr(bundle, "_install", overtaken)
    bundle.write_layer(tmp_path / "second", None)
    assert len(installs) == 2
    assert (tmp_path / "second" / "python" / "botocore").exists()


# As if another Python had installed everything.
SYNTH_BY_310 = """
import runpy, sys
import infra.stacks
sys.version_info = (3, 10, 1, "final", 0)
runpy.run_path("app.py", run_name="__main__")
"""


def test_a_python_that_no_check_runs_on_bundles_nothing(tmp_path: Path) -> None:
    context = json.loads((bundle.ROOT / "cdk.json").read_text())["context"]
    env = os.environ | {"CDK_CONTEXT_JSON": json.dumps(context), "CDK_OUTDIR": str(tmp_path)}
    command = [sys.executable, "-c", SYNTH_BY_310]
    tried = subprocess.run(command, cwd=bundle.ROOT, env=env, capture_output=True, text=True)
    assert tried.returncode == 1
    assert tried.stderr.splitlines()[-1].startswith("functions can't run on Python 3.10, but on 3.11, ")
    assert "Traceback" not in tried.stderr


def test_bytecode_is_that_of_the_functions_python(tmp_path: Path, dev: Deployment) -> None:
    bundle.write_code("sweeper", tmp_path)
    (compiled,) = (tmp_path / "functions" / "__pycache__").glob("settings.*.pyc")
    tag = compiled.name.split(".")[1].removeprefix("cpython-")
    assert {function["Runtime"] for function in dev.functions().values()} == {f"python{tag[0]}.{tag[1:]}"}
