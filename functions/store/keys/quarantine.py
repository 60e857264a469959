"""Keys of quarantine: what could not be understood, by lane."""

from functions.store.keys.grammar import Key, join


def quarantine(lane: str, sequence: str, part: int) -> Key:
    """One part of a record that could not be understood; parts keep their order."""
    return Key(join("QUARANTINE", lane), join(sequence.zfill(40), f"{part:04d}"))
