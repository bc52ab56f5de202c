"""Tests certificates, and what they say about how often each bot plays."""

from time import process_time

from harness.schedule.certificate import CheckedParticipation, certify, of_house, participation
from harness.schedule.designs import Each, Meet, Round, rounds_for


def test_the_certificate_counts_what_is_there() -> None:
    rounds: tuple[Round, ...] = (((0, 1, 2),), ((2, 1, 3),), ((0, 1, 3),))
    found = certify(4, rounds)
    assert found.per_bot == (2, 3)
    assert found.per_pair == (1, 2)
    assert dict(found.pairs) == {1: 3, 2: 3}
    assert (found.stopped_per_bot, found.stopped_per_pair) == (1, 2)
    assert "4 bots, 3 seats: 3 encounters" in found.text


def test_the_time_of_a_certificate_grows_with_the_number_of_meetings_and_no_faster() -> None:
    def seconds(times: int) -> float:
        began = process_time()
        certify(2, [((0, 1),)] * times)
        return process_time() - began

    few, many = (min(seconds(times) for _ in range(3)) for times in (2_000, 16_000))
    assert many < 24 * few


def test_check_plan_says_how_much_each_bot_plays() -> None:
    assert participation(certify(200, rounds_for(200, 2, Each(12))), 2).text == (
        "matches of each bot: 24; it meets 12 of 199 other bots"
    )
    fano = participation(certify(7, rounds_for(7, 3, Meet(1))), 3)
    assert fano.text == "matches of each bot: 9; it meets all 6 other bots"
    assert participation(certify(11, rounds_for(11, 4, Each(3))), 4).matches == (12, 16)
    house = certify(5, (((0, 3), (1, 4)), ((0, 4), (1, 3)), ((2, 3),), ((2, 4),)), listed=[0, 1, 2])
    assert participation(house, 2) == CheckedParticipation((4, 4), 2, 2)
    assert of_house(house, 2) == "matches of each house bot: 6"
    lone = certify(4, (((0, 3),), ((1, 3),), ((2, 3),)), listed=[0, 1, 2])
    assert participation(lone, 2).text == "matches of each bot: 2; it meets 1 other bot"
    assert of_house(lone, 2) == "matches of each house bot: 6"
    uneven = certify(5, (((0, 3),), ((1, 3),), ((2, 4),)), listed=[0, 1, 2])
    assert of_house(uneven, 1) == "matches of each house bot: 2 on average"
    assert of_house(certify(2, (((0, 1),),)), 1) == ""
