"""Makes an environment of PettingZoo from any game, for libraries that train agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from harness.worlds import missing
from harness.worlds.simulator import MOST_LEGAL, Simulator, env

try:
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
except ImportError as error:
    raise missing("an environment of PettingZoo", "pettingzoo") from error

BYTES = 4_096
Features: TypeAlias = Callable[[tuple[str, ...]], Any]


class MatchEnv(AECEnv):  # type: ignore[misc]
    """An environment in which the agents `seat_1`, `seat_2` and so on play matches of a game. `aec_env`
    explains the details."""

    def __init__(
        self,
        match: Simulator,
        actions: Sequence[str],
        features: Features | None,
        reward: Literal["rank", "score"],
        render_mode: str | None,
    ) -> None:
        super().__init__()
        if reward not in ("rank", "score"):
            raise ValueError(f'reward is "rank" or "score", not {reward!r}')
        self.match = match
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{match.game.name}_v{match.game.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(1, match.seats + 1)]
        self.agents: list[str] = []
        self._actions = tuple(actions)
        self._features = features or _bytes
        self._by_rank = reward == "rank"
        self._seed = -1
        count = len(self._actions) or MOST_LEGAL
        box = Box(0, 127, (BYTES,), np.uint8)
        if features:
            example = np.asarray(features(match.view(1)))
            box = Box(-np.inf, np.inf, example.shape, example.dtype)
        self.observation_spaces = {
            agent: Dict({"observation": box, "action_mask": Box(0, 1, (count,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a match. Without a seed, each call begins a different match. But each run of a program gets
        the same series of matches."""
        self._seed = self._seed + 1 if seed is None else seed
        self.match.reset(self._seed)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._scores = self.match.scores
        self._turn_to_next()

    def _turn_to_next(self) -> None:
        """Selects the agent that acts now. If the match is over, marks all agents as terminated."""
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        seat = self.match.seat
        if seat is None:
            self._moves: dict[int, str] = {}
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            return
        self.agent_selection = self.possible_agents[seat - 1]
        legal = self.match.legal()
        self._moves = dict(enumerate(legal))
        if self._actions:
            self._moves = {at: move for at, move in enumerate(self._actions) if move in legal}
            if not self._moves:
                raise ValueError(
                    f"none of your `actions` is legal now; legal moves are {', '.join(legal[:5])}"
                )
        self.infos[self.agent_selection] = {"legal": legal, "heard": self.match.heard(seat)}

    def observe(self, agent: str) -> dict[str, Any]:
        seen = self._features(self.match.view(self.possible_agents.index(agent) + 1))
        box = self.observation_spaces[agent]["observation"]
        mask = np.zeros(self.action_spaces[agent].n, np.int8)
        if agent == self.agent_selection:
            mask[[*self._moves]] = 1
        return {"observation": np.asarray(seen, box.dtype), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Plays an action that the mask allows. Raises ValueError for any other action."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if int(action) not in self._moves:
            raise ValueError(f"{agent}: action {action} is not legal now; see its action_mask")
        self._cumulative_rewards[agent] = 0.0
        self.match.step(self._moves[int(action)])
        self.rewards = dict(zip(self.possible_agents, self._earned(), strict=True))
        self._accumulate_rewards()
        self._turn_to_next()

    def _earned(self) -> list[float]:
        outcome, seats = self.match.outcome, self.match.seats
        if self._by_rank:
            ranks = outcome.ranks if outcome else [(seats + 1) / 2] * seats
            return [float(seats + 1 - 2 * rank) / max(seats - 1, 1) for rank in ranks]
        before, self._scores = self._scores, self.match.scores
        return [float(now - was) for now, was in zip(self._scores, before, strict=True)]

    def render(self) -> str:
        """Returns the position as a text that also shows everything hidden."""
        return self.match.state.text(None)

    def close(self) -> None:
        """Does nothing, because the environment has no open files or windows."""


def _bytes(lines: tuple[str, ...]) -> Any:
    """Returns the lines as an array of numbers: the ASCII codes of their characters, then zeros up to the end
    of the array."""
    text = "\n".join(lines).encode()
    if len(text) > BYTES:
        raise ValueError(f"the view has {len(text)} characters, more than {BYTES}; give `features`")
    return np.frombuffer(text.ljust(BYTES, b"\0"), np.uint8)


def aec_env(
    game: str,
    seats: int | None = None,
    options: Mapping[str, Any] | Iterable[tuple[str, Any]] = (),
    *,
    actions: Sequence[str] = (),
    features: Features | None = None,
    reward: Literal["rank", "score"] = "rank",
    render_mode: str | None = None,
) -> MatchEnv:
    """Returns this game as an environment of PettingZoo, in which agents act one after another.
    Defaults are in brackets.

    game, seats, options   as for `harness.env`
    actions     the move for each action number [the move at this place in the present list of legal moves]
    features    a function from the lines of a view to an array of numbers [the codes of their characters]
    reward      "rank": at the end, 1 for the best and -1 for the last; "score": the change of the score

    An observation is a dict with `observation` and `action_mask`. The infos of the agent that acts have its
    legal moves as texts (`legal`), and the lines that a bot in its seat would have read (`heard`).

    Raises InputError if there is no such game, or if options and seats do not fit.
    """
    return MatchEnv(env(game, seats, options), actions, features, reward, render_mode)
