"""Plants a wrong rule in a game, and names the test that must find it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

Wrong: TypeAlias = Callable[..., Any]
Check: TypeAlias = Callable[[], object]


class Planted(NamedTuple):
    """A wrong rule, the owner and the name of the right rule that it replaces, and the check that must find
    it."""

    owner: Any
    name: str
    wrong: Any
    found_by: Check


class Plantings(dict[str, Planted]):
    """The wrong rules of a game by their names."""

    def plant(self, owner: Any, name: str, found_by: Check) -> Callable[[Wrong], Wrong]:
        """Registers a wrong rule."""

        def register(wrong: Wrong) -> Wrong:
            self[wrong.__name__] = Planted(owner, name, wrong, found_by)
            return wrong

        return register
