"""Makes one file of a match: its page with the style, the scripts and the replay inside."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from markupsafe import Markup

from harness.config import FrozenPlan
from harness.judge.rules import game_of
from harness.report.assets import asset
from harness.report.names import Names
from harness.report.packing import packed
from harness.report.page import PAGES


def one_file(plan: FrozenPlan, names: Names, board: str, replay: dict[str, Any]) -> str:
    """The page. It loads nothing, and its policy allows these scripts alone."""
    scripts = [asset("viewer.js"), asset(f"boards/{board}.js"), packed(replay)]
    allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts)
    styles = b"\n".join(map(asset, ("style.css", "viewer.css", "boards.css")))
    return PAGES.get_template("match.html").render(
        name=names.text(plan.name),
        title=game_of(plan).title,
        board=board,
        masked=names.masked,
        policy=f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'",
        styles=Markup(styles.decode()),
        scripts=[Markup(script.decode()) for script in scripts],
    )


def _digest(script: bytes) -> str:
    return base64.b64encode(hashlib.sha256(script).digest()).decode()
