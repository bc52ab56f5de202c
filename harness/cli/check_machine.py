"""The command `check machine`: says whether this machine can time and isolate bots."""

from __future__ import annotations

from math import isnan

import click

from harness.checking.machine import Machine, examined
from harness.cli.output import as_json, labelled, print_json, ticked, waiting
from harness.errors import InputError

SECONDS = 2.0


@click.command("machine")
@click.option("--seconds", type=click.FloatRange(0.1, 600), default=SECONDS, help=f"How long [{SECONDS:g}].")
@as_json
@click.pass_context
def check_machine(ctx: click.Context, seconds: float, as_json: bool) -> None:
    """Check this machine: can it time and isolate bots, and which languages does it have?

    Run it while the machine does what it will do during the tournament; at best, nothing else.
    """
    if isnan(seconds):
        raise InputError("expected a number, not nan", "--seconds")
    with waiting("the machine is measured"):
        machine = examined(seconds)
    unfit = machine.unfit()
    if as_json:
        late = machine.late_us._asdict()
        print_json(
            {
                **machine._asdict(),
                "late_us": late,
                "fit": not unfit,
                "unfit": unfit,
                "unseen": machine.unseen(),
            }
        )
    else:
        _tell(machine, unfit)
    ctx.exit(1 if unfit else 0)


def _tell(machine: Machine, unfit: list[str]) -> None:
    late = machine.late_us
    labelled("machine", machine.system, f"Python {machine.python}", f"{machine.cores} cores")
    labelled("load", f"{machine.load:.1f}", f"a busy program had no CPU for {machine.kept:.0%} of its time")
    labelled(
        "late",
        f"woken {late.median / 1000:.2f} ms late at the median",
        f"{late.high / 1000:.2f} ms in 1 of 100",
        f"{late.worst / 1000:.2f} ms at worst",
    )
    _tell_isolation(machine)
    there = [language for language, command in machine.languages.items() if not command]
    labelled("bots in", "Python", *there)
    for language, command in machine.languages.items():
        if command:
            labelled("", f"no {language}: {command}")
    for why in unfit:
        ticked(False, why)
    ticked(not unfit, "not fit to time bots now" if unfit else "fit to time bots")


def _tell_isolation(machine: Machine) -> None:
    if machine.isolation != "bwrap":
        labelled("sandbox", machine.isolation, machine.lacking)
        return
    memory = "memory kept by the kernel" if machine.groups else "memory watched, for want of control groups"
    calls = "system calls filtered" if machine.filtered else "no filter of system calls for this processor"
    labelled("sandbox", machine.isolation, memory, calls)
    for what in machine.unseen():
        labelled("", what)
