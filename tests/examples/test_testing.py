"""The page's test of views under faults, as its reader has it: from the wheels, in an environment of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.project.wheel import ROOT, cloned

PAGE = (ROOT / "docs" / "views.md").read_text()
RUN = "import test_shop; test_shop.test_what_is_counted_is_what_is_there(); print('passed')"


def test_views_are_tested_in_an_empty_folder(tmp_path: Path) -> None:
    folder, python = tmp_path / "shop", tmp_path / "venv" / "bin" / "python"
    folder.mkdir()
    cloned(tmp_path / "edgewise")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    (declared,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tested,) = re.findall(r"```python test_shop.py\n(.*?)```", PAGE, re.DOTALL)
    (folder / "shop.py").write_text(declared)
    (folder / "test_shop.py").write_text(tested)
    # Bytecode is made of what is imported.
    pip = {"PIP_QUIET": "1", "PIP_COMPILE": "false", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    commands = "\n".join(re.findall(r"^    (pip .*)$", PAGE, re.MULTILINE))
    subprocess.run(["bash", "-euc", commands], cwd=folder, env=os.environ | pip | {"PATH": path}, check=True)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "POWERTOOLS_", "PYTHON"))}
    ran = subprocess.run([str(python), "-c", RUN], cwd=folder, env=env, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "passed\n"), ran.stdout + ran.stderr
