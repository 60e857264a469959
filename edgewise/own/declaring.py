"""Notices which views a release keeps no more, and which again, before it absorbs anything.

A view that is left out of a release misses what that absorbs: after a way back, nothing else would tell. So the
register, which is read with each batch, names the views that are filled, and the reader of a batch that does not keep
one breaks that fill: whatever was written after the fill's start comes in a batch that is read with the register as it
was later. It also names what is being removed, of which records may still be on their way.
"""

from dataclasses import replace

from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb.table import Table
from edgewise.own import fills
from edgewise.stream import doubting, register
from edgewise.stream.register import Register


def heed(table: Table, catalog: Catalog, known: Register) -> None:
    """Break the fills of views that are not in the catalog; doubt what is in it, and is being removed.

    Of a view that is filled, records from before its next fill count nothing: that need not be doubted.
    """
    declared = catalog.kinds.keys()
    if broken := {name for name in known.kept if fills.view_of(name) not in declared}:
        fills.disown(table, {*map(fills.view_of, broken)})
        register.change(table, lambda now: replace(now, kept=now.kept - broken))
    if again := known.removing & declared:
        lacking = [
            name
            for view in again
            if not catalog.kinds[view].filled
            for name in declared
            if name == view or name.startswith(f"{view}-")
        ]
        register.change(
            table, lambda now: replace(now, removing=now.removing - again).lacking_also(doubting.names(lacking))
        )
