"""Tests how much a channel carries, and that the programs of channels can be compiled; nothing is sent."""

import pytest

from studies import channels


@pytest.mark.parametrize(("wrong", "bits"), [(0.0, 1.0), (0.5, 0.0), (0.11, 0.5), (1.0, 1.0)])
def test_bits_that_arrive_wrong_carry_less(wrong: float, bits: float) -> None:
    """If half of the bits are wrong, they tell nothing. If all bits are wrong, they tell everything."""
    assert channels.capacity(wrong) == pytest.approx(bits, abs=0.001)


@pytest.mark.parametrize("channel", channels.CHANNELS)
def test_the_programs_of_channels_are_programs(channel: channels.Channel) -> None:
    for program in (channel.sends, channel.receives):
        compile(channels.BEGIN + program, channel.name, "exec")
