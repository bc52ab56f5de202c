"""Shows the steps of `check bot`: on a terminal as they come, or at the end as JSON."""

from __future__ import annotations

from typing import Any

import click

from harness.checking.check import CheckStep
from harness.cli.output import MARGIN, MOST_STDERR, NOTE, labelled, print_json, ticked
from harness.escape import shown
from harness.model import QUOTED


class CheckView:
    """Shows one check. If it is `quiet`, it shows all steps at the end, as JSON."""

    def __init__(self, game: str, quiet: bool) -> None:
        self._game = game
        self._quiet = quiet
        self._steps: list[CheckStep] = []

    @property
    def passed(self) -> bool:
        """Whether all steps passed."""
        return all(step.passed for step in self._steps)

    def tell(self, step: CheckStep) -> None:
        """Shows a step."""
        self._steps.append(step)
        if not self._quiet:
            _tell(step)

    def end(self, bot: str) -> None:
        """Shows the result."""
        if self._quiet:
            steps = [_plain(step) for step in self._steps]
            print_json({"bot": bot, "game": self._game, "passed": self.passed, "steps": steps})
        else:
            does = "plays" if self.passed else "does not play"
            click.echo(f"\n{shown(bot)} {does} {self._game} as it should.")


def _tell(step: CheckStep) -> None:
    """Prints a step. After a fault come the hint, the question, the answer, the position and stderr."""
    ticked(step.passed, step.told, NOTE if step.passed and step.hint else "")
    if step.hint:
        labelled("hint", step.hint.text, fg="yellow")
    if step.fault:
        labelled("asked", step.fault.ask)
        if step.fault.name not in QUOTED:
            labelled("said", step.fault.said if step.fault.said is not None else "nothing")
        if not step.fault.ask.startswith("new "):
            labelled("was told", *step.fault.view)
    if not step.passed and step.stderr.strip():
        labelled("stderr", "the last that it wrote:")
        for line in step.stderr[-MOST_STDERR:].strip("\n").splitlines():
            click.echo(MARGIN + shown(line.expandtabs(4)))


def _plain(step: CheckStep) -> dict[str, Any]:
    """A step for JSON: `hint` is the name of the hint, `advice` its text."""
    return {
        "passed": step.passed,
        "told": step.told,
        "hint": step.hint.name if step.hint else None,
        "advice": step.hint.text if step.hint else None,
        "fault": step.fault,
        "stderr": step.stderr,
        "distance": step.distance._asdict() | {"verdict": step.distance.verdict()} if step.distance else None,
    }
