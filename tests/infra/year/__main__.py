"""`make year`: walks a developer's stage and production through their first year, and prints what would be refused."""

import sys

from tests.infra.year.walk import DEV, PROD, Year


def main() -> int:
    """Print each step, and what is refused of it; returns how many steps are."""
    refused = 0
    for settings in (DEV, PROD):
        print(f"stage {settings.stage}")
        for number, step in enumerate(Year(settings).walk(), start=1):
            print(f"  {number:3} {step.done}" + (": refused" if step.refused else ""), flush=True)
            for why in step.refused:
                print(f"        {why}")
            refused += bool(step.refused)
    print(f"{refused} steps are refused" if refused else "nothing is refused that was not announced")
    return refused


if __name__ == "__main__":
    sys.exit(bool(main()))
