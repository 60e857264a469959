"""The declaration that all shards feed the same aggregates."""


class Shared:
    """Items of many partitions, and so of all shards, feed the same aggregate, which learns of them by carriers.

    (edgewise/aggregates/carriers/carrying.py.) Only for counts and sums. It can't be changed while sources are stored.
    """

    costs = "a batch brings its changes by a carrier, which costs a unit; one shard absorbs what carriers bring"
