"""Tests chess: the tree of moves, results, variants, books, scores, PGN, and the bridge for engines."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path
from random import Random
from typing import Any

import chess
import chess.pgn
import chess.variant
import msgspec
import pytest

from harness.chance import Seeded
from harness.errors import InputError
from harness.events import Event, Result
from harness.games import State, find
from harness.games._path import EVERY
from harness.model import Illegal, Malformed
from harness.testing import assert_conforms, play_out
from harness.worlds.chess import GAME, ChessOptions, ChessState, openings, pgn
from harness.worlds.chess.openings import positions
from tests.cli.door import harness
from tests.report import played

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
LONG = "8/8/4k3/8/8/4K3/4R3/8 w - - 100 90"
"""A position after 50 moves without a capture or a move of a pawn."""
# The numbers of leaves of the tree at each depth, from https://www.chessprogramming.org/Perft_Results.
TREES = {
    "usual": (20, 400, 8_902, 197_281),
    KIWIPETE: (48, 2_039, 97_862, 4_085_603),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2_812, 43_238),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9_467, 422_333),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1_486, 62_379, 2_103_487),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        46,
        2_079,
        89_890,
        3_894_594,
    ),
}


def started(**options: Any) -> ChessState:
    return GAME.start(ChessOptions(**options).settled(Path()), 2, Seeded(1))[0]


def leaves(state: State, depth: int) -> int:
    """The number of leaves of the tree of moves, counted with the methods that every game has."""
    seats = state.to_act()
    if not seats:
        return 0
    moves = list(state.legal(seats[0]))
    if depth == 1:
        return len(moves)
    luck = Seeded(0)
    return sum(leaves(state.play({seats[0]: move}, luck)[0], depth - 1) for move in moves)


@pytest.mark.parametrize("fen", TREES)
def test_the_tree_of_moves_has_its_known_size(fen: str) -> None:
    state = started(start=fen)
    assert [leaves(state, depth) for depth in (1, 2, 3)] == list(TREES[fen][:3])


@pytest.mark.soak
@pytest.mark.parametrize("fen", TREES)
def test_the_tree_of_moves_has_its_known_size_at_depth_4(fen: str) -> None:
    assert leaves(started(start=fen), 4) == TREES[fen][3]


def said(state: ChessState, *moves: str) -> ChessState:
    for move in moves:
        [seat] = state.to_act()
        verdict = state.check(seat, f"play {move}")
        assert isinstance(verdict, str), verdict
        state = state.play({seat: verdict}, Seeded(0))[0]
    return state


@pytest.mark.parametrize(
    ("options", "moves", "scores", "reason"),
    [
        ({}, "f2f3 e7e5 g2g4 d8h4", (0, 1), "checkmate"),
        ({}, "g1f3 g8f6 f3g1 f6g8 " * 2, (0.5, 0.5), "the position stood 3 times"),
        ({"draws": "fivefold"}, "g1f3 g8f6 f3g1 f6g8 " * 4, (0.5, 0.5), "fivefold repetition"),
        ({"start": "7k/8/8/8/8/8/8/KQ6 w - - 98 90"}, "a1a2 h8g7", (0.5, 0.5), "50 moves without progress"),
        ({"start": "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"}, "g1g6", (0.5, 0.5), "stalemate"),
        ({"start": "7k/8/8/8/8/8/1p6/K7 w - - 0 1"}, "a1b2", (0.5, 0.5), "insufficient material"),
        ({"plies": 3}, "e2e4 e7e5 g1f3", (0.5, 0.5), "the limit of 3 plies"),
        (
            {"variant": "kingofthehill"},
            "e2e4 a7a6 e1e2 a6a5 e2e3 a5a4 e3d4",
            (1, 0),
            "the rules of kingofthehill",
        ),
    ],
)
def test_a_match_ends_as_the_rules_and_the_options_say(
    options: dict[str, Any], moves: str, scores: tuple[float, float], reason: str
) -> None:
    *before, last = moves.split()
    state = said(started(**options), *before)
    assert state.outcome() is None
    outcome = said(state, last).outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.reason) == (scores, reason)


def test_a_position_that_is_replayed_from_a_checkpoint_knows_what_stood_before() -> None:
    steps = [move for file in "abcdefgh" for move in (f"{file}2{file}3", f"{file}7{file}6")]
    leaps = [move for file in "abcdef" for move in (f"{file}3{file}4", f"{file}6{file}5")]
    there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
    twice = said(started(), *steps, *leaps, *there_and_back)
    assert len(twice.path) == EVERY, "the position stands for the second time, at a checkpoint"
    assert said(twice, "h3h4").outcome() is None
    assert said(twice, *there_and_back).reason == "the position stood 3 times"


def test_scores_that_bots_say_end_a_match_if_the_options_say_so() -> None:
    resigned = said(
        started(resign=900, resign_moves=2), "e2e4 0", "e7e5 -901", "d2d4 5", "d7d6 -900"
    ).outcome()
    assert resigned is not None
    assert (resigned.scores, resigned.reason) == ((1, 0), "seat 2 gave itself -900 centipawns")
    at_once = said(started(resign=900, resign_moves=0), "e2e4 0", "e7e5 0", "d2d4 5", "d7d6 -900").outcome()
    assert at_once == resigned
    table = started(draw=10, draw_moves=2, draw_after=2)
    drawn = said(table, "e2e4 0", "e7e5 -10", "d2d4 10", "d7d6 5").outcome()
    assert drawn is not None
    assert (drawn.scores, drawn.reason) == ((0.5, 0.5), "both seats gave themselves at most 10 centipawns")
    silent = said(table, "e2e4 0", "e7e5 -10", "d2d4", "d7d6 5", "a2a3 1", "a7a6 1")
    assert silent.outcome() is None
    assert isinstance(started().check(1, "play e2e4 31"), Malformed)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("play e2e5", Illegal, "e2e5 is not legal in rnbqkbnr/"),
        ("play 0000", Illegal, "null move"),
        ("play e4", Malformed, "not a move in UCI notation"),
        ("play E2E4", Malformed, "not a move in UCI notation"),
        ("play e2e4 e4", Malformed, "expected `play MOVE`"),
        ("play", Malformed, "expected `play MOVE`"),
    ],
)
def test_an_answer_that_is_no_legal_move_is_answered_with_the_reason(
    text: str, kind: type[Illegal | Malformed], words: str
) -> None:
    verdict = started().check(1, text)
    assert isinstance(verdict, kind)
    assert words in verdict.reason


VARIANTS = (
    *("chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings"),
    *("giveaway", "suicide", "threecheck"),
)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_random_match_of_a_variant_ends_as_python_chess_says(variant: str) -> None:
    options = msgspec.convert({"variant": variant, "draws": "fivefold"}, ChessOptions)
    done = play_out(GAME, options, seed=3)
    lines = [record.line.split(" ") for record in done.records if isinstance(record, Event)]
    start = " ".join(lines[0][1:])
    kind = chess.Board if variant == "chess960" else chess.variant.find_variant(variant)
    board = kind(start, chess960=variant == "chess960")
    for word, *rest in lines:
        if word == "moved":
            board.push_uci(rest[1])
        elif word == "fen":
            assert " ".join(rest) == board.fen()
    end = board.outcome()
    assert end is not None
    scores = {True: (1, 0), False: (0, 1), None: (0.5, 0.5)}[end.winner]
    assert done.outcome.scores == scores


@pytest.mark.parametrize("variant", ("chess", *VARIANTS))
def test_a_variant_keeps_the_laws_of_games(variant: str) -> None:
    options = msgspec.convert({"variant": variant, "plies": 30}, ChessOptions)
    assert_conforms(GAME, options, matches=2)


def test_chess_with_scores_keeps_the_laws_of_games() -> None:
    assert_conforms(GAME, ChessOptions(resign=900, plies=30), matches=2)


# -- openings --------------------------------------------------------------------------------------

PGN = '[Event "x"]\n\n1. e4 e5 *\n\n[Event "y"]\n\n1. d4 *\n'
EPD = '# two positions\nr1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "a";\n'


@pytest.mark.parametrize(
    ("name", "text", "turns"),
    [
        ("a.pgn", PGN, "wb"),
        ("latin.pgn", PGN.replace("x", "Stra\xdfe"), "wb"),
        ("a.epd", EPD, "w"),
        ("a.fen", f"{KIWIPETE}\n\n{KIWIPETE}\n", "w"),
    ],
)
def test_a_book_is_read_into_the_options(tmp_path: Path, name: str, text: str, turns: str) -> None:
    (tmp_path / name).write_bytes(text.encode("latin-1"))
    options = ChessOptions(book=name).settled(tmp_path)
    assert [fen.split(" ")[1] for fen in options.book] == [*turns]
    assert options.settled(tmp_path) == options
    state, [told] = GAME.start(options, 2, Seeded(5))
    assert told.line.removeprefix("position ") in options.book
    assert state.view(1)[0].removeprefix("start ") in options.book


@pytest.mark.parametrize(
    ("book", "words"),
    [
        ("no.epd", "cannot read .*no.epd: No such file"),
        ("bad.epd", r"bad.epd, line 2: 'nonsense' is not a position of chess"),
        ("over.fen", "is a position in which the game is over"),
        ("empty.epd", "has 0 positions"),
        ("ill.pgn", "ill.pgn, game 1: illegal san"),
        ("variant.pgn", "variant.pgn, game 1: unsupported variant: Go"),
        ("prose.pgn", "prose.pgn, game 1: it has no moves and no position"),
        ("utf16.epd", "cannot read .*utf16.epd: it is not text in UTF-8 or Latin-1"),
        ("pipe.epd", "pipe.epd: it is not a file"),
        ("/dev/zero", "/dev/zero: it is not a file"),
        ("large.epd", "large.epd: it has more than 200 MB"),
        ("many.epd", "many.epd has more than 100,000 positions"),
        (("8/8/8/8/8/8/8/8 w - - 0 1",), "breaks a rule of chess: no white king, no black king, empty$"),
        (("/" * 9000,), r"position 1: '/{76}\.\.\. is not a position of chess: .{,120}$"),
        ((KIWIPETE[:-1] + "9" * 200,), r"position 1: .{,80} is longer than 200 characters$"),
        ((LONG,), "position 1: .* is a draw already: 50 moves without progress"),
    ],
)
def test_a_book_that_is_wrong_is_answered_with_file_and_line(
    tmp_path: Path,
    book: str | tuple[str, ...],
    words: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "bad.epd").write_text(f"{KIWIPETE}\nnonsense\n")
    (tmp_path / "over.fen").write_text("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\n")
    (tmp_path / "empty.epd").write_text("\n")
    (tmp_path / "ill.pgn").write_text("1. e5 *\n")
    (tmp_path / "variant.pgn").write_text('[Variant "Go"]\n\n1. e4 *\n')
    os.mkfifo(tmp_path / "pipe.epd")
    with (tmp_path / "large.epd").open("wb") as large:
        large.truncate(201_000_000)
    if book == "many.epd":
        (tmp_path / "many.epd").write_text("".join(f"{KIWIPETE[:-1]}{turn}\n" for turn in range(1, 100_002)))
        monkeypatch.setattr(openings, "checked", lambda variant, text, *_: text)
    (tmp_path / "prose.pgn").write_text("Once upon a time\n")
    (tmp_path / "utf16.epd").write_text(KIWIPETE, encoding="utf-16")
    with pytest.raises(InputError, match=words):
        positions("chess", book, tmp_path, 50)
    assert not caplog.records, "the library prints nothing of its own"


def test_no_match_begins_with_a_draw_by_moves_without_progress() -> None:
    with pytest.raises(InputError, match=r"start: .* is a draw already: 50 moves"):
        started(start=LONG)
    assert started(start=LONG, draws="fivefold").to_act() == (1,)


def test_a_drawn_position_of_chess960_is_one_of_the_960() -> None:
    seen = {
        GAME.start(ChessOptions(variant="chess960"), 2, Seeded(seed))[0].opening.fen for seed in range(40)
    }
    assert len(seen) > 30
    assert all(chess.Board(fen, chess960=True).chess960_pos() is not None for fen in seen)


# -- PGN -------------------------------------------------------------------------------------------


def test_matches_on_record_come_out_as_pgn(tmp_path: Path) -> None:
    logs = played.write(tmp_path, "chess", options={"plies": 40}, fault_at=21)
    told = harness("pgn", logs)
    assert told.exit_code == 0, told.output
    source = io.StringIO(told.stdout)
    games = []
    while game := chess.pgn.read_game(source):
        games.append(game)
    listed = json.loads(harness("show", logs, "--json").stdout)
    assert [game.headers["Round"] for game in games] == [each["id"] for each in listed]
    assert [[game.headers["White"], game.headers["Black"]] for game in games] == [e["bots"] for e in listed]
    results = {(1, 2): "1-0", (2, 1): "0-1", (1.5, 1.5): "1/2-1/2"}
    assert [game.headers["Result"] for game in games] == [results[tuple(each["ranks"])] for each in listed]
    assert not any(game.errors for game in games)
    assert games[1].headers["Termination"].startswith("malformed (seat ")
    [one] = [chess.pgn.read_game(io.StringIO(harness("pgn", logs, listed[0]["id"]).stdout))]
    assert str(one) == str(games[0])


def test_what_a_bot_wrote_does_not_end_a_tag_of_pgn() -> None:
    answer = r'"] [Round "2" \\'
    rows: list[dict[str, Any]] = [
        {"is": "match", "match": "1.1.1.1", "bots": ['say "x"', "\\"]},
        {"is": "event", "line": f"position {chess.STARTING_FEN}"},
        {"is": "fault", "name": "malformed", "seat": 1, "reason": answer},
        {"is": "result", "ranks": [2, 1], "reason": "a fault"},
    ]
    [text] = pgn.games(rows, "cup", "chess")
    tags = re.findall(r'^\[\w+ "([^"\\]*)"\]$', text, re.MULTILINE)
    assert tags[3:] == ["1.1.1.1", "say 'x'", "/", "0-1", "malformed (seat 1): '] [Round '2' //"]


def test_pgn_is_for_chess(tmp_path: Path) -> None:
    told = harness("pgn", played.write(tmp_path, "sevens"))
    assert told.exit_code == 2
    assert "PGN is for chess, and this is a tournament of sevens" in told.stderr


def test_random_matches_are_as_python_chess_says() -> None:
    luck = Random(7)
    for seed in range(3):
        done = play_out(
            GAME, ChessOptions(), seed=seed, choose=lambda state, seat, _: luck.choice([*state.legal(seat)])
        )
        [result] = [record for record in done.records if isinstance(record, Result)]
        moves = [r.line.split(" ")[2] for r in done.records if isinstance(r, Event) and r.line[:5] == "moved"]
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
        end = board.outcome()
        if end is None:
            assert board.is_repetition(3) or board.is_fifty_moves(), result
            assert result.ranks == (1.5, 1.5)
        else:
            assert result.ranks == {True: (1, 2), False: (2, 1), None: (1.5, 1.5)}[end.winner]


def test_the_game_is_found_by_its_name() -> None:
    assert find("chess") is GAME
