"""Writes axelrod_points.json: the points of matches between strategies, by the library Axelrod.

The library takes half a minute to import and needs PyTorch, so tests read its results from this table:
`pip install axelrod` in an environment of its own, and then `python tests/worlds/axelrod_table.py`.
"""

import json
from itertools import combinations_with_replacement
from pathlib import Path

TABLE = Path(__file__).with_name("axelrod_points.json")
TURNS = 100


def main() -> None:
    """Plays all pairs of the deterministic strategies."""
    import axelrod as axl  # type: ignore[import-not-found]

    kinds = (
        *(axl.Cooperator, axl.Defector, axl.TitForTat, axl.TitFor2Tats, axl.TwoTitsForTat, axl.Grudger),
        *(axl.Alternator, axl.WinStayLoseShift, axl.SuspiciousTitForTat),
    )
    rows = []
    for one, other in combinations_with_replacement(kinds, 2):
        match = axl.Match((one(), other()), turns=TURNS)
        match.play()
        rows.append([one.name, other.name, *(int(points) for points in match.final_score())])
    written = {"library": f"Axelrod {axl.__version__}", "turns": TURNS, "points": rows}
    TABLE.write_text(json.dumps(written).replace(', ["', ',\n ["') + "\n")


if __name__ == "__main__":
    main()
