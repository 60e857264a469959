"""Exports of some items, below a folder."""

from collections.abc import Iterable

from batch import exports
from batch.exports import Change
from batch.folders import Folder
from batch.reconcile import Files
from edgewise.dynamodb.attributes import Item

FULL, INCREMENT = "full/AWSDynamoDB/1", "increment/AWSDynamoDB/2"
INSTANT, FROM, TO = "2018-08-29T12:00:00.000Z", "2018-08-29T11:45:00.000Z", "2018-08-29T12:15:00.000Z"


def exported(folder: Folder, items: Iterable[Item]) -> Files:
    """The files of a full export with these items."""
    exports.written(folder.write, FULL, [INSTANT], list(map(exports.full_line, items)), 1000)
    return folder.files(exports.opened(folder.read, FULL))


def increment(folder: Folder, changes: Iterable[Change]) -> Files:
    """The files of an incremental export with these changes."""
    exports.written(folder.write, INCREMENT, [FROM, TO], list(map(exports.change_line, changes)), 1000)
    return folder.files(exports.opened(folder.read, INCREMENT))
