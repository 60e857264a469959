"""How the load is distributed: shares by rank, and the arrivals in a second."""

import math
from random import Random

_EXACT = 12  # from this mean on, the normal distribution is close enough to Poisson's


def zipf(keys: int, exponent: float = 1.0) -> list[float]:
    """The share of each key in the load, the hottest first."""
    weights = [rank**-exponent for rank in range(1, keys + 1)]
    total = sum(weights)
    return [weight / total for weight in weights]


def arrivals(mean: float, random: Random) -> int:
    """How many arrive in a second, independently of each other, when `mean` arrive on average."""
    if mean >= _EXACT:
        return max(0, round(random.gauss(mean, math.sqrt(mean))))
    none = math.exp(-mean)
    count, product = 0, random.random()
    while product > none:
        count, product = count + 1, product * random.random()
    return count
