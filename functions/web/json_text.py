"""JSON objects that callers store with an entity, as text: any object within limits."""

from typing import Any

import simplejson

MAX_DEPTH = 16


def json_text(data: Any, most: int) -> str:
    """The JSON text of an object, at most `most` bytes, the same for equal objects; raises ValueError."""
    if not isinstance(data, dict):
        raise ValueError("must be an object")
    if not _is_flat(data, MAX_DEPTH):
        raise ValueError(f"must not be nested more than {MAX_DEPTH} levels deep")
    text = simplejson.dumps(data, use_decimal=True, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    if len(text.encode()) > most:
        raise ValueError(f"must fit into {most} bytes of JSON")
    return text


def _is_flat(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_flat(each, levels - 1) for each in inner)
