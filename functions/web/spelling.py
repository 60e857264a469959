"""How a text is spelled where it stands between slashes in a URL: as a segment of the path, as a member of a list.

A gateway decodes the escapes of a path before we see it, some of them twice, and may cut the path at a `?` that was
one. What it would spoil is therefore written in an escape that no gateway knows: `~` and two hexadecimal digits for
each byte. So every text has exactly one spelling, and no two share one; percent escapes are the URL's own affair.
"""

import re

_ALWAYS = frozenset("~/%?\N{REPLACEMENT CHARACTER}")
_DOTS = frozenset({".", ".."})
_ESCAPES = re.compile("(?:~[0-9A-Fa-f]{2})+")


def spell(text: str, also: str = "") -> str:
    """The spelling of a text, before it is percent-encoded; `also` is what separates the members of the list."""
    return "".join(_escape(each) if each in _ALWAYS or each in also or text in _DOTS else each for each in text)


def read(spelled: str, also: str = "") -> str:
    """The inverse; raises ValueError for what `spell` never makes."""
    if "\N{REPLACEMENT CHARACTER}" in spelled:
        raise ValueError("is not UTF-8")
    try:
        text = _ESCAPES.sub(_unescape, spelled)
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8 behind its ~") from error
    if spell(text, also) != spelled:
        raise ValueError(f"must be spelled {spell(text, also)}")
    return text


def _escape(character: str) -> str:
    return "".join(f"~{byte:02X}" for byte in character.encode())


def _unescape(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("~", "")).decode()
