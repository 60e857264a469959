"""Alerts: partition ALERT#digest holds the alerts of one aggregate, each as it last changed; raised ones are listed.

Partition ALERTS#SHARDS says how many shards the list has, in the index by value.
"""

from collections.abc import Mapping
from typing import Any

from edgewise import Item, alerting
from functions.system import Live, Rights, System

_LIST = alerting.ALL_RAISED.name


def _told(item: Item) -> Mapping[str, Any]:
    """What subscribers are sent of a crossing: what the topic is told."""
    return alerting.ALERT.decode(item).plain


CHANGES = Live(lambda **_: _LIST, {alerting.ALERT.name: lambda _: (_LIST,)}, shown=_told)

SYSTEM = System(
    name="alerts",
    rights=Rights(actions=("BatchGetItem",)),
    items=(alerting.ALERT,),
    live=(CHANGES,),
)
