"""The spelling of a text in a URL: as a segment of the path, or as a member of a list.

A gateway decodes the escapes of a path before a function receives it, some gateways decode twice, and some cut the path
off at a `?` that was escaped. So characters that a gateway would change are written in an escape that no gateway knows:
`~` and two hexadecimal digits for each byte. Every text has exactly one spelling, and no two texts share one. Percent
encoding is applied on top, as in any URL.

Names that are canonically equivalent are one name: it is stored composed (NFC), and so is read what stands in a URL. A
name that was stored otherwise, before this was so, is spelled with escapes, and stays another one.
"""

import re
import unicodedata

# A name of 200 characters has at most four times as many, decomposed. What is longer is refused as it is: to put many
# combining characters in order takes a time that grows with the square of their number.
_LONGEST = 800
_ALWAYS = frozenset("~/%?\N{REPLACEMENT CHARACTER}")
_DOTS = frozenset({".", ".."})
_ESCAPES = re.compile("(?:~[0-9A-Fa-f]{2})+")


def composed(text: str) -> str:
    """Of all spellings of a name that are canonically equivalent, the one that is stored: NFC."""
    return unicodedata.normalize("NFC", text) if len(text) <= _LONGEST else text


def spell(text: str, also: str = "") -> str:
    """The spelling of a text, before it is percent-encoded; `also` is the separator of the list's members.

    If that would be composed to another one, each character beyond ASCII is escaped: that of a text that is not
    composed, and one in which an accent follows an escape.
    """
    if text in _DOTS:
        return "".join(map(_escape, text))
    spelled = "".join(_escape(each) if each in _ALWAYS or each in also else each for each in text)
    if unicodedata.is_normalized("NFC", spelled):
        return spelled
    return "".join(each if each.isascii() else _escape(each) for each in spelled)


def read(spelled: str, also: str = "") -> str:
    """The inverse of `spell`, once the spelling is composed; raises ValueError for any other than `spell` returns."""
    if "\N{REPLACEMENT CHARACTER}" in spelled:
        raise ValueError("is not UTF-8")
    if not spelled.isascii():
        spelled = composed(spelled)
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
