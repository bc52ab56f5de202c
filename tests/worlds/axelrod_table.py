"""Writes axelrod_points.json: the points of matches of strategies, as the library Axelrod plays them.

The library takes half a minute to import and needs PyTorch, so tests read its results from this table. To
write the table, run `pip install axelrod` in a separate environment, and then `python
tests/worlds/axelrod_table.py`.
"""

import json
from itertools import combinations_with_replacement
from pathlib import Path

TABLE = Path(__file__).with_name("axelrod_points.json")
TURNS = 100


def main() -> None:
    """Plays a match for each pair of deterministic strategies, and writes the table."""
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
