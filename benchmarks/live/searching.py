"""Search: an index of 100,000 real messages, what a search of it takes, and when a message is found after its POST."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Thread

from edgewise import Key, from_rfc_3339
from edgewise.dynamodb.table import chunks
from functions.search import analysis
from functions.search.embedded import Embedded
from functions.search.engine import Address
from functions.search.excerpts import excerpts
from functions.search.query import Search, clauses
from functions.searchable import Contents
from local.users import token
from ops import local_cloud
from ops.api import Api
from ops.local_cloud import Cloud
from ops.recounting import samples

MESSAGES, ASKED, AT_ONCE = 100_000, 300, 1_000
# What is posted in a second while messages are looked for, and for how long.
RATE, POSTED = 50, 1_500
_EACH, _POSTING, _PAUSE_SECONDS, WAIT_SECONDS = 10, 8, 0.02, 60


@dataclass(frozen=True)
class Indexed:
    """An index: its things, the megabytes of its files, milliseconds for each thing, and for one change."""

    things: int
    megabytes: float
    ms_each: float
    ms_a_change: float


@dataclass(frozen=True)
class Asked:
    """Milliseconds of searches of one form: of half of them, of all but one in a hundred."""

    form: str
    p50: float
    p99: float


@dataclass(frozen=True)
class Searching:
    """All that was measured; `found`: from the answer to a POST until it is found."""

    indexed: Indexed
    asked: Sequence[Asked]
    found: Asked


def measure(cloud: Cloud) -> Searching:
    """On this machine's disk, then through the local cloud."""
    with TemporaryDirectory() as folder:
        index = Embedded(Path(folder))
        texts = list(_texts())
        indexed = _filled(index, texts, Path(folder))
        asked = [_asked(index, form, questions) for form, questions in _forms(texts).items()]
    return Searching(indexed, asked, _found(cloud))


def _texts() -> Iterator[Contents]:
    for each in islice(samples.messages(samples.SAMPLES["all"]), MESSAGES):
        about = {"room": each.room, "user": each.user}
        yield Contents((each.room, each.id), "", each.text, from_rfc_3339(each.sent_at), about)


def _filled(index: Embedded, texts: Sequence[Contents], folder: Path) -> Indexed:
    addressed = [(Address("message", Key(*each.id)), each) for each in texts]
    began = time.perf_counter()
    for some in chunks(addressed, AT_ONCE):
        index.write(dict(some))
    took = time.perf_counter() - began
    size = sum(path.stat().st_size for path in folder.iterdir())
    changes = [_timed(partial(index.write, dict([each]))) for each in addressed[:20]]
    return Indexed(len(texts), size / 1e6, 1000 * took / len(texts), 1000 * sum(changes) / len(changes))


def _forms(texts: Sequence[Contents]) -> dict[str, list[str]]:
    """Questions of each form, of words that people have written."""
    chosen = random.Random(1)
    written = [found for each in texts if len(found := analysis.words(each.text)) >= 3]
    some = [chosen.choice(written) for _ in range(ASKED)]
    long = [max(each, key=len) for each in some]
    return {
        "a word": [f"{word} " for word in long],
        "the beginning of a word": [word[:3] for word in long],
        "three words": [" ".join(each[:3]) + " " for each in some],
        "a phrase": [f'"{each[0]} {each[1]}"' for each in some],
        "a word with a wrong letter": [f"{word[0]}{word[2:]} " for word in long],
        "a word that most messages have": [f"{word} " for word in ("the", "i", "you", "a", "to")] * (ASKED // 5),
    }


def _asked(index: Embedded, form: str, questions: Sequence[str]) -> Asked:
    """Each with counts of kinds and rooms, and excerpts, as `GET /search` asks it."""

    def once(text: str) -> None:
        asked = clauses(text, analysis.words)
        index.search(Search(sub="amy", clauses=asked, kinds=["message"], facets=["room", "user"]))
        excerpts(["what one of them has said in some more words than these"], asked)

    return _of(form, [_timed(partial(once, each)) for each in questions])


def _timed(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def _of(form: str, seconds: Sequence[float]) -> Asked:
    hundredths = quantiles([1000 * each for each in seconds], n=100)
    return Asked(form, hundredths[49], hundredths[98])


def _found(cloud: Cloud) -> Asked:
    """Post at a steady rate; meanwhile, look for each tenth message until it is found."""
    outputs = local_cloud.outputs(cloud)
    api = Api(outputs.api_url, lambda: token(cloud, outputs, "importer"), connections=16)
    _look(api, {0: _post(api, 0)})  # starts the functions
    waiting: dict[int, float] = {}
    poster = Thread(target=_post_all, args=(api, waiting))
    poster.start()
    found = list[float]()
    while poster.is_alive() or waiting:
        found += _look(api, waiting)
    return _of("from the answer to a POST until it is found", found)


def _post(api: Api, n: int) -> float:
    api.post("rooms", f"found-{n % 7}", "messages", body={"messages": [{"text": f"zeppelin{n}x departs"}]})
    return time.monotonic()


def _post_all(api: Api, waiting: dict[int, float]) -> None:
    began = time.monotonic()
    with ThreadPoolExecutor(_POSTING) as posting:
        for n in range(1, POSTED):
            time.sleep(max(0.0, began + n / RATE - time.monotonic()))
            sent = posting.submit(_post, api, n)
            if n % _EACH == 0:
                waiting[n] = sent.result()


def _look(api: Api, waiting: dict[int, float]) -> list[float]:
    """Look once for each, and again for the first until it is found; returns after how many seconds some were."""
    found = list[float]()
    while not found:
        for n, began in list(waiting.items()):
            if api.get("search", q=f"zeppelin{n}x ")["total"]:
                found.append(time.monotonic() - waiting.pop(n))
            elif time.monotonic() - began > WAIT_SECONDS:
                raise TimeoutError(f"message {n} was not found")
        time.sleep(_PAUSE_SECONDS)
        if not waiting:
            break
    return found
