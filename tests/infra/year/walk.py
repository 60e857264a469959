"""The year of a stage, chapter by chapter; each step says what is refused of it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from infra.settings import InfraSettings
from tests.infra.year.building import Built, build
from tests.infra.year.making import REGION, Making
from tests.infra.year.releases import RELEASES, checked_out
from tests.infra.year.switches import everything, switched
from tests.support.cloudformation.account import Account

OTHER_REGION = "eu-west-1"
ACCOUNT = "111122223333"
DEV = InfraSettings("dev", account=ACCOUNT, region=REGION)
PROD = InfraSettings(
    "prod",
    production=True,
    account=ACCOUNT,
    region=REGION,
    alarms="all",
    pages=("on-call@edgewise.dev",),
    tickets=("operators@edgewise.dev",),
    budget=500,
)


class Step(NamedTuple):
    """What is done, and what is refused of it."""

    done: str
    refused: list[str]


class Year:
    """A stage in an account of its own. `settings`: those of most of its year; `release`: which is checked out."""

    def __init__(self, settings: InfraSettings, builds: Callable[[InfraSettings], Built] = build) -> None:
        self.account = Account()
        self._settings, self.release = settings, 0
        self._build, self._built = builds, dict[tuple[int, str], Built]()
        self._making = Making(self.account, self._of_release)

    def walk(self) -> Iterator[Step]:
        """All of it."""
        yield from self.beginning()
        yield from self.releases()
        yield from self.settings()
        yield from self.restore()
        yield from self.bad_release()
        yield from self.lost_region()
        yield from self.end()

    def short(self) -> Iterator[Step]:
        """A part of it that takes seconds."""
        yield from self.beginning()
        self.release = len(RELEASES)
        yield self._deploy("all ten releases at once", self._settings)
        yield from self.restore()
        yield from self._destroyed(self._settings)

    def beginning(self) -> Iterator[Step]:
        """Production's first deployment may be deleted if it fails; the next one protects it."""
        if self._settings.production:
            yield self._deploy("the first deployment", replace(self._settings, protected=False))
        yield self._deploy("a deployment", self._settings)

    def releases(self) -> Iterator[Step]:
        """Ten, with everything that a stage may have; then the last is taken back, and is there again."""
        everything_on = everything(self._settings)
        yield self._deploy("everything on", everything_on)
        for number, (changes, _) in enumerate(RELEASES, start=1):
            self.release = number
            yield self._deploy(f"release {number}: {changes}", everything_on)
        for number in (len(RELEASES) - 1, len(RELEASES)):
            self.release = number
            yield self._deploy(f"release {number} again", everything_on)
        yield self._deploy("everything off", self._settings)

    def settings(self) -> Iterator[Step]:
        """Each alone."""
        for told, settings in switched(self._settings):
            yield self._deploy(told, settings)

    def restore(self) -> Iterator[Step]:
        """A restored table takes the place of the stage's own, which then has it back."""
        restored = replace(self._settings, restored=self._stream("20261123T054100Z"))
        yield self._deploy("a restored table", restored)
        yield self._deploy("the stage's own table", self._settings)

    def bad_release(self) -> Iterator[Step]:
        """It fails its callers; the one before it comes back while the alarm rings."""
        self.account.ringing = {f"{self._settings.prefix}-release-failing"}
        self.release -= 1
        yield self._deploy("the release before a bad one, while it fails", self._settings)
        self.account.ringing = set()
        self.release += 1
        yield self._deploy("the release that mends it", self._settings)

    def lost_region(self) -> Iterator[Step]:
        """The stage is deployed elsewhere, on a table restored there, and comes back when the region does."""
        lost = self.account.lose(self._settings.region or REGION)
        elsewhere = replace(self._settings, region=OTHER_REGION)
        yield self._deploy("another region, on a table of its own", elsewhere)
        restored = replace(elsewhere, restored=self._stream("20261125T054100Z", OTHER_REGION))
        yield self._deploy("another region, on a restored table", restored)
        yield from self._destroyed(restored)
        self.account.find(lost)
        yield self._deploy("the region is back", self._settings)

    def end(self) -> Iterator[Step]:
        """The stage is destroyed with everything on, and deployed anew."""
        everything_on = everything(self._settings)
        yield self._deploy("everything on", everything_on)
        yield from self._destroyed(everything_on)
        yield self._deploy("a stage of the same name", everything_on)

    def _destroyed(self, settings: InfraSettings) -> Iterator[Step]:
        if settings.production:
            settings = replace(settings, protected=False)
            yield self._deploy("PROTECTED=no", settings)
        yield Step("make destroy", self._making.destroy(settings))

    def _deploy(self, told: str, settings: InfraSettings) -> Step:
        return Step(told, self._making.deploy(settings))

    def _of_release(self, settings: InfraSettings) -> Built:
        key = self.release, repr(settings)
        if key not in self._built:
            with checked_out(self.release):
                self._built[key] = self._build(settings)
        return self._built[key]

    def _stream(self, instant: str, region: str | None = None) -> str:
        where, table = region or self._settings.region, f"{self._settings.prefix}-{instant}"
        return f"arn:aws:dynamodb:{where}:{ACCOUNT}:table/{table}/stream/2026-11-25T06:02:07.123"
