"""Tests what commands that play single bots do before a bot starts."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from harness.cli.workspace import level_for
from harness.sandbox import closing, isolation
from harness.sandbox.isolation import Isolation


@pytest.mark.parametrize(("level", "mode"), [("user", 0o750), ("bwrap", 0o755), ("none", 0o755)])
def test_a_workspace_is_closed_only_to_bots_that_are_users_of_their_own(
    level: str,
    mode: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(isolation, "achieved", lambda *_: Isolation(level))
    # Other users cannot enter pytest's folders. This makes harness believe that they can.
    monkeypatch.setattr(closing, "barred", lambda _: "")
    (tmp_path / "league.toml").write_text("")
    tmp_path.chmod(0o755)
    assert level_for("auto", [tmp_path / "entries"]) == level
    assert stat.S_IMODE(tmp_path.stat().st_mode) == mode
    assert ("closed the workspace" in capsys.readouterr().err) == (level == "user")
