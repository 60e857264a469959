"""A release of the consumer that counts each message twice, on a local cloud, and how it is told and mended."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from local import shipping
from local.drain import drain
from local.users import token
from ops import local_cloud
from ops.api import Api
from ops.local_cloud import Cloud
from ops.recounting.feed import chat_requests, post_all
from ops.recounting.samples import Message
from ops.rehearsing.__main__ import OUTPUT
from tests.support.commands import ROOT

CONSUMER = "edge_aggregator"
# What of the project a release needs, to be shipped and to be rehearsed.
COPIED = ("edgewise", "functions", "infra", "ops", "local", "delivery", "stages", "cdk.json")
PLANTED = (
    "functions/systems/chat/entity.py",
    "{COUNT: Observation(at=message.sent_at)}",
    "{COUNT: Observation(2, at=message.sent_at)}",
)
ROOM = "bad-release"
# What a check calls under way: the time around its export.
QUIET_SECONDS = 12


def runbook_steps(title: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The commands of a runbook's numbered steps, in their order, each with its variables but for ON and STAGE."""
    (text,) = re.findall(
        rf"^## {title}\n(.*?)^## ", (ROOT / "docs" / "runbooks.md").read_text(), re.MULTILINE | re.DOTALL
    )
    steps = text[text.index("\n1. ") : text.index("\n\n", text.index("\n1. "))]
    for target, told in re.findall(r"`make ([a-z]+)((?: [A-Z]+=\S+?)*)`", steps):
        given = dict(each.split("=", 1) for each in told.split())
        yield target, {name: value for name, value in given.items() if name not in ("ON", "STAGE")}


class BadRelease:
    """The bad release in a folder of its own; `times`: after which step how many seconds had passed."""

    def __init__(self, cloud: Cloud, folder: Path) -> None:
        self.cloud, self.folder, self.times = cloud, folder, dict[str, float]()
        self.bad_at, self._began, self.posted = "", 0.0, 0

    @cached_property
    def bad(self) -> Path:
        """A copy of the project with the bug."""
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, self.folder / name)
        (self.folder / ".local").symlink_to(ROOT / ".local")
        path, right, wrong = PLANTED
        source = (self.folder / path).read_text()
        assert source.count(right) == 1
        (self.folder / path).write_text(source.replace(right, wrong))
        return self.folder

    @property
    def _functions(self) -> Any:
        return self.cloud.client("lambda")

    @property
    def _consumer(self) -> str:
        name = local_cloud.outputs(self.cloud).function(CONSUMER)
        assert name
        return name

    def keep_every_batch(self) -> None:
        """Which one in five is kept depends on the numbers of records, which are other ones each time."""
        bucket = local_cloud.outputs(self.cloud)[OUTPUT]
        environment = self._functions.get_function_configuration(FunctionName=self._consumer)["Environment"]
        environment["Variables"]["KEEPS"] = f"1 {bucket}"
        self._functions.update_function_configuration(FunctionName=self._consumer, Environment=environment)

    def post(self, *users: str, absorbed: bool = True) -> None:
        """Send a message of each of these users into the room, and let the consumer absorb them if it reads."""
        sent = [
            Message(ROOM, user, f"2018-08-29T12:00:{self.posted + number:02}Z", f"{self.posted + number}", "hi")
            for number, user in enumerate(users)
        ]
        self.posted += len(users)
        post_all(self._api("importer"), chat_requests(sent), lambda _: None)
        if absorbed:
            drain(self.cloud)

    @property
    def messages(self) -> int:
        """How many messages the room has, as the API says."""
        return int(self._api("guest").get("rooms", ROOM)["messages"])

    def _api(self, user: str) -> Api:
        outputs = local_cloud.outputs(self.cloud)
        return Api(outputs.api_url, lambda: token(self.cloud, outputs, user), connections=1)

    def rehearse_bad(self) -> tuple[int, str]:
        """The status of the bad release's own rehearsal, and what it prints."""
        command = [sys.executable, "-m", "ops.rehearsing", "local", "", ""]
        env = os.environ | {"EDGEWISE_PORT": str(self.cloud.port)}
        done = subprocess.run(command, cwd=self.bad, env=env, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def deploy_bad(self) -> None:
        """Put its code in place of the consumer's, as if no batch had shown the bug."""
        self.bad_at = datetime.now(UTC).isoformat()
        self._put(self.bad)
        self._began = time.monotonic()

    def deploy_good(self, before: str) -> None:
        """The project's own code again."""
        assert datetime.fromisoformat(before), "the page says from when on batches are a bad release's"
        self._put(ROOT)

    def after(self, target: str) -> None:
        """What somebody does after a step: write while nobody reads; wait until all is read, and can be checked."""
        if target == "pause":
            self.post("eve", absorbed=False)
        if target in ("resume", "reconcile"):
            drain(self.cloud)
            time.sleep(QUIET_SECONDS)
        self.times[target] = round(time.monotonic() - self._began, 1)

    def _put(self, root: Path) -> None:
        code = shipping.packed(CONSUMER, root)
        self._functions.update_function_code(FunctionName=self._consumer, ZipFile=code)
