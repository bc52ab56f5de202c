"""Tests how the commands that play a tournament react to Ctrl-C."""

import signal
import threading
from collections.abc import Iterator

import pytest

from harness.cli.screen import NUMBERS, hear_signals


@pytest.fixture(autouse=True)
def _as_in_a_command() -> Iterator[None]:
    """Lets Ctrl-C raise KeyboardInterrupt, as in a command. Restores the handlers of signals afterwards."""
    before = {number: signal.getsignal(number) for number in NUMBERS}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_that_another_thread_gets_is_heard() -> None:
    over = threading.Event()
    # The thread is made before `hear_signals`, so it does not block the signals.
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        with hear_signals() as signals:
            signals.hold()
            signal.pthread_kill(thread.ident or 0, signal.SIGINT)
            while not (came := signals.come()):
                pass
        assert came == {signal.SIGINT}
    finally:
        over.set()
        thread.join()


def test_signals_that_come_together_are_heard_once_each() -> None:
    with hear_signals() as signals:
        signals.hold()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            signal.raise_signal(number)
        assert signals.come() == {signal.SIGINT, signal.SIGTERM}
        assert signals.come() == set()


def test_a_command_that_goes_on_to_another_tournament_can_be_interrupted_again() -> None:
    for _ in range(2):
        with hear_signals(last=False) as signals:
            signals.hold()
            before = signals.heard
            signal.raise_signal(signal.SIGINT)
        assert (before, signals.heard) == (False, True)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def interrupted_twice(cleaned: list[str]) -> None:
    with hear_signals():
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            cleaned.append("whole")


def test_only_the_first_interrupt_before_play_raises() -> None:
    cleaned: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted_twice(cleaned)
    assert cleaned == ["whole"]


def test_no_signal_raises_after_play_and_then_the_next_one_ends_the_process() -> None:
    with hear_signals() as signals:
        signals.hold()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) == signal.SIG_DFL
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()).isdisjoint(NUMBERS)


def test_signals_that_a_shell_ignores_are_ignored_before_and_after_play() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with hear_signals() as signals:
        signal.raise_signal(signal.SIGINT)
        signals.hold()
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
