"""The command `check machine`: says whether this machine can time and isolate bots."""

from __future__ import annotations

import click

from harness import config
from harness.checking.machine import Machine, TriedLanguage, examined, tried
from harness.cli.arguments import Finite, as_json
from harness.cli.command import Command
from harness.cli.output import labelled, print_json, ticked, waiting
from harness.cli.workspace import STARTER, STARTERS, entrant
from harness.config.languages import with_starter
from harness.escape import count_of, shown
from harness.model import ACCOUNTS
from harness.sandbox.builds.copies import folder_of_copies
from harness.sandbox.isolation import GET_COUNTER, GET_GROUPS

SECONDS = 2.0


class MachineCheck(Machine, frozen=True, kw_only=True):
    """The properties of the machine, and whether it is fit for a tournament."""

    fit: bool
    unfit: tuple[str, ...]
    """The reasons why the machine is not fit."""
    unseen: tuple[str, ...]
    """Sentences about what isolated bots can do on this machine without being noticed."""
    languages: tuple[TriedLanguage, ...]


@click.command(
    "machine",
    cls=Command,
    prints={"check-machine": MachineCheck},
    examples=(
        "harness check machine",
        "harness check machine --seconds 60 --no-languages",
    ),
)
@click.option(
    "--seconds",
    type=Finite(0.1, 600),
    metavar="N",
    default=SECONDS,
    help="The length of the measurement in seconds.",
)
@click.option("--no-languages", is_flag=True, help="Do not build and play a bot in each language.")
@as_json
@click.pass_context
def check_machine(ctx: click.Context, seconds: float, no_languages: bool, as_json: bool) -> None:
    """Check that this machine can time and isolate bots.

    While the command runs, the machine should do the same other work as during the tournament. It is best if
    the machine does no other work. After the measurement, the command builds a bot in each language, and lets
    it play. If you run the command again, it takes less time, because harness keeps the results of builds.
    """
    with waiting("the machine is measured"):
        machine = examined(seconds)
    unfit = machine.shortcomings()
    languages = [] if no_languages else _tried(machine.isolation)
    if as_json:
        known = {name: getattr(machine, name) for name in Machine.__struct_fields__}
        print_json(
            MachineCheck(
                **known,
                fit=not unfit,
                unfit=tuple(unfit),
                unseen=tuple(machine.blind_spots()),
                languages=tuple(languages),
            )
        )
    else:
        _tell(machine, languages, unfit)
    ctx.exit(1 if unfit else 0)


def _tried(level: str) -> list[TriedLanguage]:
    """Tries a bot in each language."""
    found = []
    with folder_of_copies() as place:
        opponent = entrant(STARTER, level)
        for language in with_starter():
            with waiting(f"{language.name} is tried"):
                starter = config.read_bot(STARTERS / language.folder)
                found.append(tried(starter, opponent, place / language.folder, level))
    return found


def _tell(machine: Machine, languages: list[TriedLanguage], unfit: list[str]) -> None:
    late = machine.late_us
    labelled("machine", machine.system, f"Python {machine.python}", count_of(machine.cores, "core"))
    labelled("load", f"{machine.load:.1f}", f"a busy program had no CPU for {machine.kept:.0%} of its time")
    labelled(
        "late",
        f"woken {late.median / 1000:.2f} ms late at the median",
        f"{late.high / 1000:.2f} ms in 1 of 100",
        f"{late.worst / 1000:.2f} ms at worst",
    )
    _tell_isolation(machine)
    _tell_accounts(machine)
    if languages:
        _tell_languages(languages)
    for why in unfit:
        ticked(False, why)
    ticked(not unfit, "not fit to time bots now" if unfit else "fit to time bots")


def _tell_languages(languages: list[TriedLanguage]) -> None:
    labelled("bots in", *(f"{each.name} {each.version}" for each in languages if not each.trouble))
    for each in languages:
        if each.install:
            labelled("", f"no {each.name}: {each.install}")
        elif each.trouble:
            labelled("", f"{each.name} {each.version}".rstrip() + f" does not play: {shown(each.trouble)}")


def _tell_isolation(machine: Machine) -> None:
    if machine.isolation != "bwrap":
        labelled("sandbox", machine.isolation, machine.lacking)
        for what in machine.seen_by_bots():
            labelled("", what)
        return
    memory = "memory limited by the kernel" if machine.groups else "memory watched by harness"
    calls = "system calls filtered" if machine.filtered else "no filter of system calls for this processor"
    labelled("sandbox", machine.isolation, memory, calls)
    for what in machine.uncounted_memory():
        labelled("", what)


def _tell_accounts(machine: Machine) -> None:
    """Prints how the CPU time of bots is counted: at each level of isolation, and for a plan with limits of
    CPU time."""
    labelled("CPU time", *(f"{level}: {ACCOUNTS[each]}" for level, each in machine.accounts.items()))
    labelled("", f'with clock = "cpu" in the plan: {ACCOUNTS[machine.cpu_account]}')
    if machine.cpu_account == "incomplete":
        labelled("", f"for an exact count: {GET_COUNTER}")
        labelled("", f"or {GET_GROUPS}")
