"""The same sources are synthesized once, and each cloud gets what was synthesized with its own addresses."""

from pathlib import Path

import pytest

from local import assemblies
from ops.local_cloud import Cloud

CLOUD = Cloud(4570)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("functions", "infra", "stages"):
        (tmp_path / folder).mkdir()
    (tmp_path / "functions" / "routes.py").write_text("one = 1\n")
    (tmp_path / "infra" / "notes.md").write_text("nothing reads this\n")
    (tmp_path / "stages" / "local.toml").write_text("")
    (tmp_path / "cdk.json").write_text("{}")
    monkeypatch.setattr(assemblies, "ROOT", tmp_path)
    monkeypatch.setattr(assemblies, "KEPT", tmp_path / ".local" / "assemblies")
    monkeypatch.setattr(assemblies, "ARCHIVES", assemblies.KEPT / "archives.zip")
    return tmp_path


def kept(project: Path, stage: str = "local") -> Path:
    with assemblies.kept(stage, "", project / "stages") as folder:
        return folder


def synthesized(folder: Path, asset: int = 1) -> None:
    """What a synthesis leaves: a template, and a bundle."""
    scratch = folder.with_suffix(".unfinished")
    assemblies.begin(scratch)
    (scratch / f"asset.{asset}").mkdir(exist_ok=True)
    (scratch / f"asset.{asset}" / "routes.py").write_text("one = 1\n")
    (scratch / "edgewise-local-api.assets.json").write_text(f'{{"path": "asset.{asset}"}}')
    addresses = f"{assemblies.NOBODY.url}/x {assemblies.NOBODY.console_url}"
    (scratch / "edgewise-local-api.template.json").write_text(addresses)
    assemblies.keep(scratch, folder)


@pytest.mark.parametrize("file", ["functions/routes.py", "stages/local.toml", "cdk.json"])
def test_what_a_synthesis_reads_makes_another_one(project: Path, file: str) -> None:
    before = kept(project)
    assert kept(project) == before
    assert kept(project, "alice") != before
    (project / file).write_text("two = 2\n")
    assert kept(project) != before


def test_what_no_synthesis_reads_makes_none(project: Path) -> None:
    before = kept(project)
    (project / "infra" / "notes.md").write_text("nor this\n")
    assert kept(project) == before


def test_a_cloud_gets_its_own_addresses_and_the_kept_stays(project: Path) -> None:
    synthesized(kept(project))
    for cloud in (CLOUD, Cloud(4580), CLOUD):
        target = project / f"cdk.out-{cloud.port}"
        assemblies.copy(kept(project), target, cloud)
        template = target / "edgewise-local-api.template.json"
        assert template.read_text() == f"{cloud.url}/x {cloud.console_url}"
        assert (target / "asset.1" / "routes.py").read_text() == "one = 1\n"


def test_a_synthesis_begins_with_the_assets_of_the_last_and_ends_with_its_own(project: Path) -> None:
    synthesized(before := kept(project))
    (project / "cdk.json").write_text("{}\n")
    assemblies.begin(scratch := kept(project).with_suffix(".unfinished"))
    (here,) = scratch.iterdir()
    assert here.name == "asset.1"
    assert (here / "routes.py").samefile(before / "asset.1" / "routes.py")
    synthesized(kept(project), 2)
    assert [each.name for each in kept(project).glob("asset.*")] == ["asset.2"]


def test_archives_stay_as_long_as_an_assembly_names_them(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synthesized(kept(project))
    assemblies.copy(kept(project), target := project / "cdk.out", CLOUD)
    (target / ".cache" / "1.zip").write_text("packed")
    for most, left in ((2, ["1.zip"]), (1, [])):
        monkeypatch.setattr(assemblies, "MOST", most)
        (project / "cdk.json").write_text(f"{most}")
        synthesized(kept(project), 2)
        assert [each.name for each in (target / ".cache").iterdir()] == left


def test_a_few_are_kept(project: Path) -> None:
    for number in range(assemblies.MOST + 2):
        (project / "cdk.json").write_text(f"{number}")
        synthesized(kept(project))
        assemblies.copy(kept(project), project / "copy", CLOUD)
    folders = [each for each in assemblies.KEPT.iterdir() if each.is_dir() and not each.suffix]
    assert len(folders) == assemblies.MOST
    assert kept(project) in folders
