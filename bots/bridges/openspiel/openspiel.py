"""A bridge: it plays games `openspiel:NAME` with the bots of OpenSpiel.

    python3 openspiel.py random
    python3 openspiel.py mcts SIMULATIONS

`random` plays every game. `mcts` (Monte Carlo tree search with random playouts) plays games in which nothing
is hidden: it follows the match by the lines about actions and chance, which every seat receives.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "lib"))

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    sys.exit(
        f"{error}; in the folder of this bot: pip install --target lib --no-deps open_spiel numpy absl-py"
    )

OPEN = pyspiel.GameType.Information.PERFECT_INFORMATION
SEQUENTIAL = pyspiel.GameType.Dynamics.SEQUENTIAL


def bot_of(kind, game, seed, simulations):
    """The bot of OpenSpiel for this match; None if any legal move will do."""
    if kind == "random":
        return None
    if game.get_type().information != OPEN or game.get_type().dynamics != SEQUENTIAL:
        sys.exit("mcts plays games in which nothing is hidden and one player acts at a time; use random")
    from open_spiel.python.algorithms import mcts

    luck = np.random.RandomState(seed)
    return mcts.MCTSBot(game, 2, simulations, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)


def main():
    kind, simulations = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    call, state, bot, luck, moves = "", None, None, None, []
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "hello":
            print("hello 1 legal", flush=True)
        elif word == "option" and rest[0] == "game":
            call = " ".join(rest[1:])
        elif word == "new":
            seed = int(rest[3])
            game = pyspiel.load_game(call)
            state, luck = game.new_initial_state(), np.random.RandomState(seed)
            bot = bot_of(kind, game, seed, simulations)
            print("ready", flush=True)
        elif word == "chance" and bot:
            state.apply_action(int(rest[0]))
        elif word == "played" and bot:
            state.apply_action(int(rest[1]))
        elif word == "legal":
            moves = []
        elif word == "move":
            moves.append(int(rest[1]))
        elif word == "act":
            action = bot.step(state) if bot else moves[luck.randint(len(moves))]
            print(f"act {action}", flush=True)
        elif word == "bye":
            return


if __name__ == "__main__":
    main()
