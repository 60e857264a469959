"""The seed that catches each mutant, which is tried first: `python -m tests.delivery.mutants.seeds` finds them."""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.delivery.consuming import Consume
from tests.delivery.mutants.mutant import Mutant

FILE = Path(__file__).with_name("seeds.json")
KNOWN: dict[str, int] = json.loads(FILE.read_text())
# Most are caught by one of the first ten.
TRIED = range(200)


def first_caught(mutant: Mutant, consume: Consume) -> int | None:
    """A seed with which the mutant makes the aggregates wrong."""
    with mutant.lives():
        found = next((seed for seed in _tried(mutant) if not mutant.caught_by.is_exact(seed, consume)), None)
    if found is not None:
        KNOWN[mutant.name] = found
    return found


def _tried(mutant: Mutant) -> Iterator[int]:
    known = KNOWN.get(mutant.name)
    return chain(() if known is None else (known,), TRIED)


def main() -> None:
    """Find the seeds anew and write them."""
    # Where the test looks, too: this file is another module when it is run.
    from tests.delivery.mutants import seeds

    seeds.KNOWN.clear()
    pytest.main(["-n0", "-k", "test_is_caught and not faults", "tests/delivery/test_mutants.py"])
    FILE.write_text(json.dumps(seeds.KNOWN, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
