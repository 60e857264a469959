"""The Makefile where a program is missing."""

import shutil
import subprocess
from pathlib import Path

MAKEFILE = Path(__file__).parents[2] / "Makefile"


def test_without_npm_it_names_what_to_install(tmp_path: Path) -> None:
    """In a folder of its own, with nothing but make and a shell."""
    for name in ("package.json", "package-lock.json"):
        (tmp_path / name).touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("make", "bash", "touch"):
        (programs / name).symlink_to(str(shutil.which(name)))
    command = ["make", "-f", str(MAKEFILE), "node_modules/.ready"]
    done = subprocess.run(command, cwd=tmp_path, env={"PATH": str(programs)}, capture_output=True, text=True)
    assert done.returncode
    assert "npm is needed and not found: install Node 20" in done.stdout
    assert "command not found" not in done.stderr
