"""What `make deploy` and `make destroy` do to the stacks of a stage, in the order in which they do it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from infra import preflight
from infra.settings import InfraSettings
from tests.infra.year.building import Built
from tests.support.cloudformation.account import Account

REGION = "us-east-1"
# Enough for any stage, as an account has that has asked for it.
CONCURRENCY = 10_000
WITHOUT = "deploy once without "
AT_ONCE = 'Set releases = "at once"'


@dataclass
class Making:
    """A stage in an account. `build` makes the templates of its settings, as the release that is checked out does."""

    account: Account
    build: Callable[[InfraSettings], Built]

    def deploy(self, settings: InfraSettings) -> list[str]:
        """What is refused of `make deploy` with these settings, although the check before it announced nothing.

        What the check announces is done as it says.
        """
        announced = [each.text for each in self.announced(settings)]
        for text in announced:
            if AT_ONCE in text:
                return self.deploy(replace(settings, releases="at once"))
            if WITHOUT not in text:
                return [f"preflight: {text}"]
            off = re.findall("[a-z]+", text.partition(WITHOUT)[2].partition(":")[0])
            before = self.deploy(
                replace(settings, **{part: InfraSettings.__dataclass_fields__[part].default for part in off})
            )
            return before or self.deploy(settings)
        return [*self._leave(settings), *self._deploy_all(settings)]

    def announced(self, settings: InfraSettings) -> list[preflight.Problem]:
        """What stops `make deploy` before it begins."""
        where = settings.region or REGION
        prefix = f"{settings.prefix}-"
        outputs = {name.removeprefix(prefix): self.account.outputs(where, name) for name in self.account.stacks(where)}
        found = preflight.Account(where, CONCURRENCY, "role", 1, outputs, ringing=self.account.ringing)
        return [each for each in preflight.problems(settings, found) if each.fatal]

    def destroy(self, settings: InfraSettings) -> list[str]:
        """What is refused of `make destroy`."""
        where = settings.region or REGION
        refused = list[str]()
        for name in reversed([*self.build(settings).templates]):
            if not settings.production:
                self.account.empty(where, name)
            refused += self.account.delete(where, name)
        return refused

    def _leave(self, settings: InfraSettings) -> Iterator[str]:
        """As ops/leaving.py: the API first, which imports of what leaves."""
        where, prefix = settings.region or REGION, f"{settings.prefix}-"
        there = {name.removeprefix(prefix): name for name in self.account.stacks(where)}
        leaving = preflight.leaving(settings, there)
        built = self.build(settings)
        if leaving:
            name = f"{prefix}api"
            yield from self.account.update(where, name, built.templates[name], protected=built.protected)
        for part in leaving:
            if not settings.production:
                self.account.empty(where, there[part])
            self.account.protect(where, there[part], protected=False)
            yield from self.account.delete(where, there[part])

    def _deploy_all(self, settings: InfraSettings) -> Iterator[str]:
        built = self.build(settings)
        for name, template in built.templates.items():
            if refused := self.account.update(settings.region or REGION, name, template, protected=built.protected):
                # The CDK goes on with no other stack.
                yield from refused
                return
