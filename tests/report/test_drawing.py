"""Tests that plots are drawn in a process of their own, and that its end costs a report only its plots."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.report.drawing import LEAST_GB, Drawer
from tests.mirror import ROOT
from tests.report import played

SPEC = {"data": {"values": [{"a": 1}]}, "mark": "point", "encoding": {"x": {"field": "a"}}}


def limited(size: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


@pytest.mark.whole
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
def test_in_little_address_space_a_report_has_no_plots_and_says_why(tmp_path: Path) -> None:
    folder = played.write(tmp_path, deals=2, fault_at=9)
    done = subprocess.run(
        (sys.executable, "-m", "harness", "report", folder),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited(3_000_000 << 10),
    )
    said = (
        f"the plots are left out: the program that draws them needs about {LEAST_GB} GB of address space; "
        "`ulimit -v` is 3000000 (2.9 GB)"
    )
    assert (done.returncode, done.stderr.strip()) == (0, said)
    page = (folder / "report" / "index.html").read_text()
    assert page.count(said) == 1
    assert page.index('<section id="beats">') < page.index(said) < page.index('<section id="places">')
    assert "<svg" not in page


def test_if_the_process_that_draws_dies_nothing_is_drawn_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.report.drawing._engine", died)
    with Drawer() as draw:
        assert draw(SPEC) == ""
        assert draw.missing == (
            "the plots are left out: the process that draws them died; is there too little memory?"
        )
        assert draw(SPEC) == ""


def died() -> Callable[[object], str]:
    """Ends the process, as the kernel does if there is no memory left."""
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def test_a_specification_that_is_wrong_is_an_error_of_ours() -> None:
    with Drawer() as draw, pytest.raises(ValueError, match="conversion failed"):
        draw({"mark": "nothing"})
