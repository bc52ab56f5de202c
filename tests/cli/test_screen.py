"""Tests how the commands that play a tournament hear Ctrl-C."""

import signal
import threading

from harness.cli.screen import heard_later


def test_a_signal_that_another_thread_gets_is_heard() -> None:
    over = threading.Event()
    thread = threading.Thread(target=over.wait)  # It begins before, so it blocks no signal.
    thread.start()
    try:
        with heard_later(signal.SIGINT) as heard:
            signal.pthread_kill(thread.ident or 0, signal.SIGINT)
            while not (came := heard()):
                pass
        assert came == {signal.SIGINT}
    finally:
        over.set()
        thread.join()


def test_signals_that_come_together_are_heard_once_each() -> None:
    with heard_later(signal.SIGINT, signal.SIGTERM) as heard:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            signal.raise_signal(number)
        assert heard() == {signal.SIGINT, signal.SIGTERM}
        assert heard() == set()
