"""Reads the compressed replays of a report."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

SCRIPT = re.compile(r'packed\("([0-9.]+)", "([A-Za-z0-9+/=]*)"\);')


def all_unpacked(script: Path) -> list[Any]:
    """The replays in a file, in their order."""
    found = []
    for line in script.read_text().splitlines():
        script_of = SCRIPT.fullmatch(line)
        assert script_of
        packed = base64.b64decode(script_of[2], validate=True)
        replay = json.loads(zlib.decompress(packed, wbits=-zlib.MAX_WBITS))
        assert replay["id"] == script_of[1]
        found.append(replay)
    return found


def unpacked(script: Path) -> Any:
    """The first replay in a file."""
    return all_unpacked(script)[0]


def text_of(file: Path) -> str:
    """All text of a file of a report. The text of a file of replays is decompressed."""
    return json.dumps(all_unpacked(file)) if "matches" in file.parts else file.read_text()


def listed(report: Path) -> Any:
    """The list of matches in a report."""
    script = (report / "matches.js").read_text()
    return json.loads(json.loads(script.removeprefix("matches(JSON.parse(").removesuffix("));\n")))
