"""Tests the sentences about how CPU time was counted in the sittings on record."""

from msgspec.structs import replace

from harness.record.accounts import accounts, told
from tests.record.recorded import began, history, played


def test_sittings_are_counted_by_their_account_the_exact_ones_first() -> None:
    one, two, three = played("1.1.1", "ab"), played("1.1.2", "ba"), played("2.2.1", "ab")
    counted = (replace(two, account="group"), replace(three, account="group"))
    found = accounts(history(began(1, "ab"), one, *counted).runs)
    assert list(found.items()) == [("group", 2), ("incomplete", 1)]
    assert told(found) == (
        "time: counted exactly by control groups (2 sittings); "
        "nobody counts the children that a bot does not wait for (1 sitting)"
    )


def test_of_no_sittings_nothing_is_said() -> None:
    assert told(accounts([])) == ""
