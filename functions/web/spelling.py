"""The spelling of a text in a URL: as a segment of the path, or as a member of a list.

A gateway decodes the escapes of a path before a function receives it, some gateways decode twice, and some cut the path
off at a `?` that was escaped. So characters that a gateway would change are written in an escape that no gateway knows:
`~` and two hexadecimal digits for each byte. Every text has exactly one spelling, and no two texts share one. Percent
encoding is applied on top, as in any URL.
"""

import re

_ALWAYS = frozenset("~/%?\N{REPLACEMENT CHARACTER}")
_DOTS = frozenset({".", ".."})
_ESCAPES = re.compile("(?:~[0-9A-Fa-f]{2})+")


def spell(text: str, also: str = "") -> str:
    """The spelling of a text, before it is percent-encoded; `also` is the separator of the list's members."""
    return "".join(_escape(each) if each in _ALWAYS or each in also or text in _DOTS else each for each in text)


def read(spelled: str, also: str = "") -> str:
    """The inverse of `spell`; raises ValueError for any text that `spell` never returns."""
    if "\N{REPLACEMENT CHARACTER}" in spelled:
        raise ValueError("is not UTF-8")
    try:
        text = _ESCAPES.sub(_unescape, spelled)
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8 after its ~") from error
    if spell(text, also) != spelled:
        raise ValueError(f"must be spelled {spell(text, also)}")
    return text


def _escape(character: str) -> str:
    return "".join(f"~{byte:02X}" for byte in character.encode())


def _unescape(match: re.Match[str]) -> str:
    return bytes.fromhex(match[0].replace("~", "")).decode()
