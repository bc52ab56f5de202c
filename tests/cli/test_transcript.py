"""Tests in which cases a printed match says how the CPU time of the bots was counted."""

import pytest

from harness.cli.transcript import Transcript
from harness.events import Fault


@pytest.mark.parametrize(
    ("fault", "account", "told"),
    [
        ("late", "counter", True),
        ("overdue", "group", True),
        ("illegal", "group", False),
        ("late", "", False),
        ("late", "made up", False),
    ],
)
def test_only_a_late_answer_of_a_record_has_the_account(
    capsys: pytest.CaptureFixture[str], fault: str, account: str, told: bool
) -> None:
    Transcript(("anna", "bert"), account=account).show(Fault(1, fault, "it was"), None)
    assert ("CPU time counted exactly by " in capsys.readouterr().out) is told
