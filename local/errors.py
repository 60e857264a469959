"""What a command of the local tools ends with when it can't go on."""


class LocalError(Exception):
    """A failure that its message explains to the user; anything else is a bug and keeps its traceback."""
