"""Reads the compressed replays of a report."""

import base64
import json
import zlib
from pathlib import Path
from typing import Any


def unpacked(script: Path) -> Any:
    """The replay that a script of a match holds."""
    text = script.read_text().removeprefix('packed("').removesuffix('");\n')
    return json.loads(zlib.decompress(base64.b64decode(text, validate=True), wbits=-zlib.MAX_WBITS))


def text_of(file: Path) -> str:
    """All text of a file of a report; of a replay, what is compressed."""
    return json.dumps(unpacked(file)) if "matches" in file.parts else file.read_text()


def listed(report: Path) -> Any:
    """The list of matches in a report."""
    script = (report / "matches.js").read_text()
    return json.loads(json.loads(script.removeprefix("matches(JSON.parse(").removesuffix("));\n")))
