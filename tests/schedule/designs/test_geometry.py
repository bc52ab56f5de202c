"""Tests the finite fields."""

import pytest

from harness.schedule.designs.geometry import Field


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8, 9, 11, 13])
def test_in_a_field_every_element_but_zero_divides_every_other(size: int) -> None:
    field = Field(size)
    elements = set(range(size))
    for one in elements:
        assert {field.sum(one, other) for other in elements} == elements
        assert one == 0 or {field.product(one, other) for other in elements} == elements
        for other in elements:
            assert field.product(one, field.sum(other, 1)) == field.sum(field.product(one, other), one)
