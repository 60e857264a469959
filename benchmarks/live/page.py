"""What a browser loads before the console shows anything, and how long that takes."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from ops.local_cloud import Cloud
from tests.e2e.console import browser

VISITS = 7
_LOADED = re.compile(r'(?:src|href)="/(assets/[^"]+\.(?:js|css|woff2))"')
_PAINTED = """new Promise((done) => {
  const first = (list) => list.getEntriesByName("first-contentful-paint").forEach((entry) => done(entry.startTime));
  new PerformanceObserver(first).observe({ type: "paint", buffered: true });
})"""


@dataclass(frozen=True)
class Page:
    """Bytes, gzipped, that are loaded first, and of everything there is; milliseconds to the first content."""

    first_bytes: int
    all_bytes: int
    paint_ms: float


def measure(cloud: Cloud) -> Page:
    """Visit the console of a local cloud, each time with an empty cache; the middle one of the times counts."""
    index = cloud.page / "index.html"
    first = [index, *(cloud.page / name for name in _LOADED.findall(index.read_text()))]
    everything = [path for path in cloud.page.rglob("*") if path.is_file()]
    return Page(sum(map(_gzipped, first)), sum(map(_gzipped, everything)), median(_paints(cloud.console_url)))


def _gzipped(path: Path) -> int:
    return len(gzip.compress(path.read_bytes()))


def _paints(url: str) -> Iterator[float]:
    with browser() as chromium:
        for _ in range(VISITS):
            context = chromium.new_context()
            page = context.new_page()
            page.goto(url)
            page.get_by_role("button", name="Sign in").wait_for()
            yield float(page.evaluate(_PAINTED))
            context.close()
