"""Says which names bots and tournaments may have, and whether two names look the same."""

from __future__ import annotations

import re
import unicodedata
from types import MappingProxyType

from harness.config.document import quoted

MOST_NAME = 40
DEVICES = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9\u00b9\u00b2\u00b3])\s*(\..*)?", re.I)
"""The names of devices. On Windows, no file can have such a name, whatever its ending is."""
TOGETHER = frozenset(
    ("BOPOMOFO", "CJK", "HANGUL", "HIRAGANA", "IDEOGRAPHIC", "KATAKANA", "KATAKANA-HIRAGANA", "LATIN")
)
"""Alphabets that one word may mix, because no letter of one of these alphabets looks like a letter of
another. IDEOGRAPHIC and KATAKANA-HIRAGANA are here because the Unicode names of Japanese signs that repeat or
lengthen a letter begin with these words."""
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Python counts as printable, but that show nothing."""
ALIKE = MappingProxyType(
    str.maketrans(
        "\u0430\u0432\u0441\u0501\u0435\u04bb\u0456\u0458\u043a\u04cf\u043c\u043d\u043e\u0440\u051b\u0455"
        "\u0442\u0443\u04af\u0475\u051d\u0445\u0437"  # Cyrillic
        "\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03f2"  # Greek
        "\u0561\u0570\u0578\u057d\u0585\u0581"  # Armenian
        "\u0131\u0237\u0251\u0261\u0269\u028b",  # Latin
        "abcdehijklmhopqstyyvwx3abezhikmvoptyxcwhnuogijagiv",
    )
)
"""Small letters that look like a small ASCII letter, or whose capital letter looks like an ASCII capital."""
SIGNS = MappingProxyType(str.maketrans("01I|", "Olll"))
"""Digits and other characters that look like letters."""


def unfit(name: str) -> str:
    """Says why a bot cannot have this name; "" if the name is allowed."""
    if not (0 < len(name) <= MOST_NAME and name.isprintable() and name == name.strip()):
        return f"expected a name of 1 to {MOST_NAME} printable characters, not {quoted(name)}"
    if not UNSEEN.sub("", name).strip():
        return f"the name {quoted(name)} shows nothing; expected a character that can be seen"
    for word in re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", name)):
        alphabets = sorted({unicodedata.name(letter, "?").split(" ")[0] for letter in word})
        if len(alphabets) > 1 and not TOGETHER.issuperset(alphabets):
            both = " and ".join(each.capitalize() for each in alphabets)
            return f"the word {quoted(word)} mixes letters of {both}, which look alike; use one alphabet"
    return ""


def looks(name: str) -> tuple[str, str]:
    """Returns two forms of the name.

    If two names have the same first form, they differ only in small and capital letters. Some systems count
    such names of files as equal. If two names have the same second form, they look the same.
    """
    plain = unicodedata.normalize("NFKC", UNSEEN.sub("", name))
    shape = "".join(
        sign.lower().translate(ALIKE).upper() if sign.isupper() else sign.translate(ALIKE) for sign in plain
    )
    folded = unicodedata.normalize("NFKC", plain.casefold())
    return folded, " ".join(shape.translate(SIGNS).split())


def of_version(name: str, number: int) -> str:
    """Returns the name of a version of a bot, such as "mine@3". If this is too long for a name, the part
    before the @ is cut, and never the number."""
    end = f"@{number}"
    return name[: MOST_NAME - len(end)] + end


def team_and_number(version: str) -> tuple[str, int]:
    """Returns the team and the number of a version, for example "ants" and 2 for "ants@2". If the name has no
    number of a version, returns the whole name and 0."""
    team, _, number = version.rpartition("@")
    return (team, int(number)) if team and number.isdecimal() else (version, 0)


def is_device(name: str) -> bool:
    """Tells whether some system uses this name for a device. On such a system, no file can have this name."""
    return DEVICES.fullmatch(name.strip(" .")) is not None


def strange(name: str) -> str:
    """Returns the Unicode numbers of the characters of a name that are not ASCII; "" if there are none."""
    return " ".join(f"U+{ord(sign):04X}" for sign in name if not sign.isascii())
