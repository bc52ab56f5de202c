"""Defines what all lines of a log have in common."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Scalar: TypeAlias = int | float | str


# A record contains no other record, only plain values. So the garbage collector need not look for cycles.
class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", gc=False):
    """A line of a log."""
