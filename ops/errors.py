"""The error with which a command of the local tools ends when it can't continue."""


class LocalError(Exception):
    """A failure whose message explains it to the user; anything else is a bug and keeps its traceback."""
