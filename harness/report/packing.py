"""Packs the replay of a match into a script, because browsers load scripts from disk, but not data.

A file has the scripts of some matches of a sitting, each packed on its own: a page unpacks only its match.
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import msgspec

LEVEL = 5
"""Level 6 needs a third more time and saves 1 % of the bytes."""
_encode = msgspec.json.Encoder().encode


def packed(replay: Any) -> bytes:
    """A script that calls a function with the number of the match and the compressed replay.

    The replay is base64, because a script is text.
    """
    squeeze = zlib.compressobj(LEVEL, wbits=-zlib.MAX_WBITS)
    squeezed = squeeze.compress(_encode(replay)) + squeeze.flush()
    return b'packed("%b", "%b");\n' % (replay["id"].encode(), base64.b64encode(squeezed))
