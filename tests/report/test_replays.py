"""Tests that a replay shows each viewer only what it may know, and the right position at each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness import games
from harness.chance import Seeded
from harness.cli.workspace import TEMPLATES
from harness.events import Drawn, Event, Fault, Match, Record, Result, Stderr, Turn, Usage
from harness.games import State, Stopped
from harness.games.stratego.army import SIGNS
from harness.games.stratego.board import CODE, SHOWN, SIDE, SQUARES, WALL, WIDTH
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules
from harness.record import run_folder
from harness.record.masking import unmasked
from harness.report import scenes
from harness.report.assets import asset
from harness.report.names import Names
from harness.report.replay import Step, heard, seen_by, steps
from harness.report.replays import TOGETHER, Replays, where
from harness.report.survey import MatchLines, Survey
from tests.report import played as record
from tests.report.planted import SECRET, SECRETS


def _names(bots: tuple[str, ...]) -> Names:
    return Names(unmasked(bots), False)


def _of(told: list[Step], viewer: int) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    """The steps that this viewer may see: the number of the line, the record, and the picture after it."""
    picture: dict[str, Any] = {}
    for line, records, groups in told:
        for viewers, changes in groups:
            if viewers is None or viewer in viewers:
                picture = scenes.changed(picture, changes)
        for viewers, plain in records:
            if viewers is None or viewer in viewers:
                yield line, {"is": "event", "line": plain} if isinstance(plain, str) else plain, picture


@pytest.mark.parametrize("game", sorted(scenes.names()))
def test_what_is_hidden_from_a_seat_is_in_none_of_its_steps(game: str) -> None:
    options = games.find(game).options()
    seen = scenes.of_match(game, options, 2)
    lines = tuple(enumerate((Match("1.1.1.1", ("a", "b")), *SECRETS), start=1))
    told = steps(MatchLines(lines[0][1], 1, "x.jsonl", lines), heard(seen), _names(("a", "b")), {})  # type: ignore[arg-type]
    shown = {viewer: msgspec.json.encode(list(_of(told, viewer))).decode() for viewer in range(3)}
    assert SECRET not in shown[1]
    assert shown[0].count(SECRET) >= len(SECRETS)
    assert SECRET in shown[2]


def test_a_seat_cannot_count_what_it_does_not_see() -> None:
    def seen(hidden: int) -> dict[str, Any]:
        records = Event("deck 9"), *[Event("card", (2,))] * hidden, Turn(2, "pick", "pick 1"), Event("end")
        lines = tuple(enumerate((Match("1.1.1.1", ("a", "b")), *records), start=1))
        told = steps(
            MatchLines(lines[0][1], 1, "x.jsonl", lines),  # type: ignore[arg-type]
            lambda _, __: [],
            _names(("a", "b")),
            {},
        )
        return seen_by(1, {"steps": told, "moments": [(told[-1][0], "decided", 1)]})

    assert seen(1) == seen(3)
    assert [step[0] for step in seen(1)["steps"]] == [1, 2, 3]
    assert seen(1)["moments"] == [(3, "decided", 1)]


def test_a_scene_hears_what_its_seat_is_told_and_nothing_else() -> None:
    heard_lines: dict[int, list[str]] = {0: [], 1: [], 2: []}

    class Ear(scenes.Scene):
        def hear(self, line: str, to: Any) -> scenes.Changes:
            heard_lines[self.viewer].append(line)
            return {}

        def said(self, seat: int, text: str) -> scenes.Changes:
            heard_lines[self.viewer].append(f"{seat} said {text}")
            return {}

    records = (Match("1.1.1.1", ("a", "b")), Event("all"), Event("one", (1,)), Turn(2, "play", "no", 5))
    lines = tuple(enumerate(records, start=1))
    ears = scenes.MatchScenes([Ear(None, 2, viewer) for viewer in range(3)])
    steps(MatchLines(records[0], 1, "x.jsonl", lines), heard(ears), _names(("a", "b")), {})  # type: ignore[arg-type]
    assert heard_lines == {0: ["all", "one", "2 said no"], 1: ["all", "one"], 2: ["all", "2 said no"]}


# -- the position as it was ------------------------------------------------------------------------


def _sevens(state: Any, seat: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"total": state.total, "cards": len(state.table)}
    for place, hand in enumerate(state.hands, start=1):
        facts[f"count {place}"] = len(hand)
        facts[f"points {place}"] = state.points[place - 1]
        facts[f"hand {place}"] = list(hand) if seat in (0, place) else None
    for place, placed in enumerate(state.table):
        facts[f"card {place}"] = list(msgspec.structs.astuple(placed))
    return facts


def _stratego(state: Any, seat: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"zones": list(state.rules.zones)}
    if not hasattr(state, "board"):
        return facts
    facts |= {"plies": state.plies, "quiet": state.quiet}
    for side in (1, 2):
        facts[f"lost {side}"] = state.gone(side)
    for place in SQUARES:
        value = state.board[place]
        side = next((each for each in (1, 2) if value < WALL and value & SIDE[each]), 0)
        known = seat in (0, side) or value & SHOWN
        piece = [side, SIGNS[value & CODE] if known else "?", bool(value & SHOWN)]
        facts[f"{place // WIDTH} {place % WIDTH}"] = piece if side else None
    return facts


def _squash(state: Any, seat: int) -> dict[str, Any]:
    table = state.table
    facts: dict[str, Any] = {f"at {place}": square for place, square in enumerate(table.squares, start=1)}
    if not table.over:
        here = table.squares[table.seat - 1]
        facts["throw"] = [table.seat, table.dice[-1], table.to, here]
    for place, (hand, played) in enumerate(zip(table.hands, table.played, strict=True), start=1):
        facts |= {f"left {place}": sum(hand), f"played {place}": list(played)}
        facts[f"hand {place}"] = list(hand) if seat in (0, place) else None
    return facts


def _squadron(state: Any, seat: int) -> dict[str, Any]:
    battle = state.battle
    deck, stack = battle.left()
    facts: dict[str, Any] = {"battle": battle.number, "deck": len(deck), "stack": list(stack)}
    for place, total in enumerate(state.totals, start=1):
        playing = place in battle.playing
        facts |= {f"total {place}": total, f"out {place}": not playing}
        facts[f"count {place}"] = len(battle.hand(place))
        facts[f"seen {place}"] = list(battle.known(place))
        facts[f"table {place}"] = [[each.captured, *each.cards] for each in battle.tables[place - 1]]
        if playing:
            facts[f"hand {place}"] = list(battle.hand(place)) if seat in (0, place) else None
    return facts


def _biplane(state: Any, seat: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"turn": state.turn, "shots": list(state.shots), "deck": len(state.deck)}
    facts |= {"passes": state.passes, "discards": list(state.discards), "tree": state.tree}
    for place, pilot in enumerate(state.pilots, start=1):
        known = seat in (0, place)
        facts |= {f"plane {place}": pilot.place, f"lost {place}": pilot.losses, f"out {place}": pilot.out}
        facts |= {f"seen {place}": list(pilot.seen), f"drawn {place}": len(pilot.temporary)}
        facts |= {f"placed {place}": pilot.placed if pilot.down else "", f"revealed {place}": pilot.revealed}
        facts[f"permanent {place}"] = list(pilot.kept) if known else None
        facts[f"temporary {place}"] = list(pilot.temporary) if known else None
        facts[f"next {place}"] = pilot.down if known or pilot.down == pilot.open else ""
    return facts


def _chess(state: Any, seat: int) -> dict[str, Any]:
    board = state.board
    facts: dict[str, Any] = {"board": str(board).replace(" ", "").replace("\n", "")}
    facts |= {"white": board.turn, "plies": len(state.path)}
    if state.path:
        facts |= {"from": state.path[-1][:2], "to": state.path[-1][2:4]}
    return facts


FACTS: dict[str, Callable[[Any, int], dict[str, Any]]] = {
    "sevens": _sevens,
    "stratego": _stratego,
    "squash": _squash,
    "squadron": _squadron,
    "biplane": _biplane,
    "chess": _chess,
}
SHORT: dict[str, tuple[int, dict[str, Any]]] = {
    "sevens": (3, {}),
    "stratego": (2, {"quiet": 60, "plies": 300}),
    "squash": (4, {"variant": "cards"}),
    "squadron": (3, {"battles": 2, "turns": 12}),
    "biplane": (3, {"turns": 60, "tree": True}),
    "chess": (2, {"plies": 80}),
}


def _matches(tmp_path: Path, game: str, **more: Any) -> Iterator[tuple[MatchLines, list[Step], Rules]]:
    seats, options = SHORT[game]
    logs = record.write(tmp_path, game, seats, options=options, **more)
    plan = run_folder.plan_of(logs)
    replays = Replays(plan, _names(tuple(bot.name for bot in plan.bots)))
    rules = Rules(games.find(game), msgspec.convert(plan.options, games.find(game).options), plan.limits)
    for match in Survey(logs).new(run_folder.history_of(logs)):
        made = replays.of(match)
        opening: Step = (0, [(None, {"is": "opening"})], [(None, made["opening"])])
        yield match, [opening, *made["steps"]], rules


ENDING = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"


@pytest.mark.parametrize(
    "given",
    [{"variant": variant} for variant in ("chess", "antichess", "crazyhouse", "horde", "racingkings")]
    + [{"start": ENDING}, {"start": ENDING.removesuffix(" 0 1")}],
)
def test_a_match_of_chess_stands_at_its_start_before_a_line_tells_it(given: dict[str, str]) -> None:
    rules = games.find("chess")
    options = msgspec.convert(given, rules.options)
    [told] = rules.start(options, 2, Seeded(1))[1]
    scene = scenes.scene("chess", options, 2, 0)
    before = scene.opening()
    assert before == {**before, **scene.hear(told.line, None)}
    assert "K" in before["board"].upper()


@pytest.mark.parametrize(
    "said, seen",
    [
        ("play e2e4 31", {"score 2": 0.31}),
        ("play e2e4 -31", {"score 2": -0.31}),
        ("play e2e4 31000", {"score 2": 12}),
        ("play e2e4", {}),
        ("play e2e4 mate", {}),
        ("play e2e4 1 2", {}),
        ("31", {}),
    ],
)
def test_the_score_in_an_answer_of_an_engine_is_seen(said: str, seen: dict[str, float]) -> None:
    scene = scenes.scene("chess", games.find("chess").options(), 2, 0)
    assert scene.said(2, said) == seen


@pytest.mark.parametrize(
    ("fen", "uci", "shown"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b"),
        ("4k3/P7/8/8/8/8/8/4K3 w", "a7a8q", "Q3k3/8/8/8/8/8/8/4K3 b"),
        ("4k3/8/8/8/8/8/p7/4K3 b", "a2a1n", "4k3/8/8/8/8/8/8/n3K3 w"),
        ("4k3/8/8/8/8/8/8/4K3[n] b", "N@e4", "4k3/8/8/8/4n3/8/8/4K3 w"),
        ("4k3/8/8/8/8/8/8/4K2R w", "e1h1", "4k3/8/8/8/8/8/8/4K2R b"),  # Castling in Chess960.
    ],
)
def test_a_piece_of_chess_stands_on_its_new_square_as_soon_as_it_has_moved(
    fen: str, uci: str, shown: str
) -> None:
    options = games.find("chess").options()
    seen, wanted = (scenes.scene("chess", options, 2, 0) for _ in range(2))
    seen.hear(f"position {fen} - - 0 1", None)
    after, there = seen.hear(f"moved 1 {uci} x", None), wanted.hear(f"fen {shown} - - 0 1", None)
    assert (after["board"], after["white"]) == (there["board"], there["white"])


@pytest.mark.parametrize("game", sorted(FACTS))
def test_every_viewer_has_the_position_as_it_was_at_every_question(tmp_path: Path, game: str) -> None:
    compared = 0
    for match, told, rules in _matches(tmp_path, game, fault_at=41):
        states: list[tuple[Record, State | None]] = []
        rejudge(
            LogLines(match.lines), rules, None, match.deal, look=lambda *seen, into=states: into.append(seen)
        )
        judged = [line for line, one in match.lines if not isinstance(one, Match | Stderr)]
        at = dict(zip(judged, states, strict=True))
        for viewer in range(len(match.head.bots) + 1):
            for line, plain, picture in _of(told, viewer):
                if plain["is"] not in ("turn", "result") or at[line][1] is None:
                    continue
                state = at[line][1]
                for key, value in FACTS[game](
                    state.last if isinstance(state, Stopped) else state, viewer
                ).items():
                    assert picture.get(key) == value, (match.head.id, line, viewer, key)
                    compared += 1
    assert compared > 500


def test_every_scene_is_held_against_its_game() -> None:
    assert FACTS.keys() == SHORT.keys() == scenes.names()


@pytest.mark.parametrize("game", sorted(FACTS))
def test_every_seat_sees_the_end_and_a_fault(tmp_path: Path, game: str) -> None:
    for match, told, _ in _matches(tmp_path, game, fault_at=3):
        faulty = any(isinstance(one, Fault) for _, one in match.lines)
        for viewer in range(len(match.head.bots) + 1):
            kinds = [plain["is"] for _, plain, _ in _of(told, viewer)]
            assert kinds.count("result") == 1
            assert kinds.count("fault") == int(faulty)


def test_a_game_without_a_scene_is_told_by_its_text(tmp_path: Path) -> None:
    tiny = str(TEMPLATES / "game" / "tiny.py")
    logs = record.write(tmp_path, tiny, 2, options={"rounds": 2, "coins": 4})
    plan = run_folder.plan_of(logs)
    replays = Replays(plan, _names(("anna", "bert")))
    assert replays.board == "text"
    [match, *_] = Survey(logs).new(run_folder.history_of(logs))
    made = replays.of(match)
    for viewer in range(3):
        shown = list(_of(made["steps"], viewer))
        assert all(picture.get("text") for _, plain, picture in shown if plain["is"] == "result")
        assert len({picture.get("text") for _, _, picture in shown}) > 2


def test_an_answer_that_is_short_is_shown_with_the_whole_move(tmp_path: Path) -> None:
    logs = record.write(tmp_path, "openspiel:leduc_poker", 2)
    replays = Replays(run_folder.plan_of(logs), _names(("anna", "bert")))
    [match, *_] = Survey(logs).new(run_folder.history_of(logs))
    short = [
        (line, msgspec.structs.replace(one, said=" ".join(one.said.split(" ")[:2])))
        if isinstance(one, Turn) and one.ask.startswith("act") and one.said
        else (line, one)
        for line, one in match.lines
    ]
    made = replays.of(match._replace(lines=tuple(short)))
    moves = [
        plain for _, plain, _ in _of(made["steps"], 0) if plain["is"] == "turn" and "act" in plain["said"]
    ]
    assert moves
    whole = [one.said for _, one in match.lines if isinstance(one, Turn) and one.ask.startswith("act")]
    assert [move["means"] for move in moves] == whole
    assert made["quiet"] == ["played", "sees"]


def test_the_usage_of_others_and_what_chance_holds_are_the_referees_alone() -> None:
    lines: tuple[tuple[int, Any], ...] = tuple(
        enumerate(
            (Match("1.1.1.1", ("a", "b")), Drawn("deal", 4), Usage((1, 2)), Result((1, 2), (0, 0), "x"))
        )
    )
    told = steps(MatchLines(lines[0][1], 1, "x", lines), lambda *_: [], _names(("a", "b")), {})
    assert [plain["is"] for _, plain, _ in _of(told, 0)] == ["chance", "usage", "result"]
    assert [plain["is"] for _, plain, _ in _of(told, 1)] == ["result"]


def test_scripts_lie_at_most_a_thousand_encounters_to_a_folder() -> None:
    assert where("2.1000.3.1") == "matches/2/000/1000.3.1.js"
    assert where("2.1001.3.1") == "matches/2/001/1001.3.1.js"


def test_some_matches_of_a_sitting_have_one_file() -> None:
    assert where("1.5.2.32") == where("1.5.2.1") == "matches/1/000/5.2.1.js"
    assert where("1.5.2.64") == where("1.5.2.33") == "matches/1/000/5.2.33.js"
    assert f"const TOGETHER = {TOGETHER};" in asset("viewer.js").decode()
