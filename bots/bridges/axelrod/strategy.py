"""A bridge: it plays the game dilemma with a strategy of the library Axelrod.

    python3 strategy.py "Tit For Tat"

The bridge imports only the file that defines the strategy, because an import of the whole library takes half
a minute and 700 MB.
"""

import importlib
import re
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "lib"))
HOMES = {"Player": "player", "Action": "action", "Game": "game", "DefaultGame": "game"}
"""For each of these classes of the library: the file that defines it."""


def named(name):
    """Finds a name that files of the library import from its package: a class, or the generator of random
    numbers."""
    if name == "_module_random":
        return importlib.import_module("axelrod.random_").RandomGenerator()
    if name not in HOMES:
        raise AttributeError(name)
    return getattr(importlib.import_module(f"axelrod.{HOMES[name]}"), name)


def lean():
    """Makes the package of the library without running its long list of imports. Returns its folder."""
    spec = PathFinder.find_spec("axelrod")
    if spec is None:
        sys.exit("there is no Axelrod: pip install --target lib --no-deps axelrod numpy")
    package = sys.modules["axelrod"] = module_from_spec(spec)
    package.__getattr__ = named
    strategies = module_from_spec(PathFinder.find_spec("axelrod.strategies", package.__path__))
    sys.modules["axelrod.strategies"] = package.strategies = strategies
    return Path(spec.origin).parent


def strategy(name):
    """The class of the strategy with this name."""
    written = re.compile(rf"^    name(: str)? = \(?\s*[\"']{re.escape(name)}[\"']", re.M)
    for path in sorted((lean() / "strategies").glob("*.py")):
        if written.search(path.read_text()):
            module = importlib.import_module(f"axelrod.strategies.{path.stem}")
            for kind in vars(module).values():
                if isinstance(kind, type) and vars(kind).get("name") == name:
                    return kind
    sys.exit(f"Axelrod has no strategy {name!r}")


def main():
    kind = strategy(sys.argv[1])
    from axelrod.action import Action
    from axelrod.game import Game
    from axelrod.player import Player

    options, seat, player, opponent = {}, 1, None, None
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "hello":
            print("hello 1", flush=True)
        elif word == "option":
            options[rest[0]] = int(rest[1])
        elif word == "new":
            seat = int(rest[1])
            player, opponent = kind(), Player()
            player.set_seed(int(rest[3]))
            points = (options[name] for name in ("reward", "sucker", "temptation", "punishment"))
            game = Game(**dict(zip("rstp", points, strict=True)))
            player.set_match_attributes(length=options["turns"], game=game, noise=0)
            print("ready", flush=True)
        elif word == "act":
            print(f"act {player.strategy(opponent)}", flush=True)
        elif word == "played":
            own, other = (Action.from_char(sign) for sign in (rest if seat == 1 else rest[::-1]))
            player.update_history(own, other)
            opponent.update_history(other, own)
        elif word == "bye":
            return


if __name__ == "__main__":
    main()
