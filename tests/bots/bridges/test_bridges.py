"""Tests the bridges to engines for chess and for Go: what an engine is told, and what a bot answers."""

from __future__ import annotations

import random
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import chess
import pyspiel
import pytest

BRIDGES = Path(__file__).parents[3] / "bots" / "bridges"
START = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
ENGINE = """\
import sys
sys.stdout.reconfigure(errors="surrogateescape")
heard = open(sys.argv[1], "w")
answers = dict(line.split("=", 1) for line in sys.argv[2:])
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    word = line.split()[0]
    print(answers.get(word, answers.get("else", "")).replace("|", "\\n"), flush=True)
"""
"""An engine that writes all commands to a file, and answers each command as its own arguments say."""


def loaded(name: str) -> Any:
    spec = spec_from_file_location(f"bridge_{name}", BRIDGES / name / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def talk(folder: Path, name: str, said: str, *answers: str, options: tuple[str, ...] = ()) -> tuple[str, str]:
    """The answers of the bot to these lines, and the commands that its engine got."""
    (folder / "engine.py").write_text(ENGINE)
    engine = [sys.executable, str(folder / "engine.py"), str(folder / "heard"), *answers]
    program = name if name.endswith(".py") else str(BRIDGES / name / f"{name}.py")
    bridge = [sys.executable, program, *engine, *options]
    done = subprocess.run(bridge, input=said, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout, (folder / "heard").read_text()


@pytest.mark.parametrize(
    ("move_ms", "bank_ms", "go"),
    [
        (100, -1, "go movetime 70"),
        (20, -1, "go movetime 1"),
        (60_000, 60_000, "go wtime 59970 btime 59970 winc 600 binc 600"),
        # Increments have raised the bank above the limit of one move, so the engine must not use the whole
        # limit.
        (60_000, 60_400, "go wtime 59970 btime 59970 winc 600 binc 600"),
        (60_000, 5_000, "go wtime 4970 btime 4970 winc 600 binc 600"),
        (1_000, 60_000, "go movetime 970"),
        (1_000, 8_000, "go wtime 970 btime 970 winc 600 binc 600"),
    ],
)
def test_an_engine_gets_the_time_of_the_question(move_ms: int, bank_ms: int, go: str) -> None:
    assert loaded("uci").clock(move_ms, bank_ms, 600) == go


def test_a_slow_engine_gets_a_larger_reserve() -> None:
    uci = loaded("uci")
    assert uci.reserve(["gnuchess", "--uci"]) == (30, ["gnuchess", "--uci"])
    assert uci.reserve(["--reserve", "150", "gnuchess", "--uci"]) == (150, ["gnuchess", "--uci"])
    assert uci.clock(1_000, -1, 0, 150) == "go movetime 850"
    for words in (["--reserve"], ["--reserve", "gnuchess"], ["--reserve", "-1", "gnuchess"]):
        with pytest.raises(SystemExit, match="--reserve needs a whole number of milliseconds"):
            uci.reserve(words)


@pytest.mark.parametrize(
    ("info", "score"),
    [
        ("info depth 3 score cp -31 nodes 5 pv e2e4", -31),
        ("info score mate -2", -100_000),
        ("info score mate 3 pv e2e4", 100_000),
        ("info score cp 999999999 pv e2e4", 100_000),  # The game accepts at most six digits.
        ("info score cp 0.5 pv e2e4", None),
        ("info depth 3 score", None),
        ("", None),
    ],
)
def test_the_score_of_an_engine_is_read(info: str, score: int | None) -> None:
    assert loaded("uci").centipawns([info]) == score


def test_a_match_goes_through_the_bridge_to_uci(tmp_path: Path) -> None:
    said = f"""\
hello 1 chess
option variant chess960
option scores yes
limit move 100
new 1 1 2 5
position {START}
play 100 -1
moved 1 e2e4 e4
fen 4k3/8/8/8/4P3/8/8/4K3 b - - 0 1
moved 2 e8e7 Ke7
fen 8/4k3/8/8/4P3/8/8/4K3 w - - 1 2
play 100 -1
over
bye
"""
    answered, heard = talk(
        tmp_path,
        "uci",
        said,
        "uci=option name Hash type spin default 1|option name UCI_Chess960 type check|uciok",
        "isready=readyok",
        "go=info depth 1 score cp 5 pv e2e4|info depth 2 score cp 12 pv e2e4|bestmove e2e4 ponder e7e5",
        options=("--", "Hash=16", "Threads=9"),
    )
    assert answered.split("\n") == ["hello 1", "ready", "play e2e4 12", "play e2e4 12", ""]
    assert heard.split("\n") == [
        "uci",
        # The bot does not send the option Threads, because the engine does not have it.
        "setoption name Hash value 16",
        "setoption name UCI_Chess960 value true",
        "ucinewgame",
        "isready",
        f"position fen {START}",
        "go movetime 70",
        f"position fen {START} moves e2e4 e8e7",
        "go movetime 70",
        "quit",
        "",
    ]


@pytest.mark.parametrize("variant", ["chess", "chess960"])
def test_an_engine_gets_all_moves_that_a_rule_looks_at(variant: str) -> None:
    """After the moves that the engine gets, python-chess must know the same as after the whole match."""
    uci, draw, lengths = loaded("uci"), random.Random(5), []
    for number in range(10):
        whole = chess.Board() if variant == "chess" else chess.Board.from_chess960_pos(number)
        line = uci.Line(whole.fen(), whole=False)
        while not whole.is_game_over(claim_draw=True) and whole.ply() < 150:
            # Captures and pawn moves are rare here, so the same positions occur again.
            moves = [move for move in whole.legal_moves if not whole.is_zeroing(move)]
            moves = moves if moves and draw.random() < 0.9 else [*whole.legal_moves]
            move = draw.choice(moves)
            whole.push(move)
            line.move(move.uci())
            line.stands(whole.fen())
            begin, _, path = line.position().removeprefix("position fen ").partition(" moves ")
            told = chess.Board(begin, chess960=variant == "chess960")
            for word in path.split():
                told.push_uci(word)
            assert told.fen() == whole.fen()
            for count in (2, 3):
                assert told.is_repetition(count) == whole.is_repetition(count)
            needed = max(uci.HISTORY, whole.halfmove_clock)
            assert len(told.move_stack) == min(needed, whole.ply())
            lengths.append(whole.ply() - len(told.move_stack))
    assert max(lengths) > 100  # The engine does not get most moves of a long match.


def test_an_engine_for_a_variant_gets_all_moves() -> None:
    line = loaded("uci").Line("start w - - 0 1", whole=True)
    for number in range(20):
        line.move(f"a{number}")
        line.stands("here w - - 0 1")
    assert line.position() == "position fen start w - - 0 1 moves " + " ".join(f"a{n}" for n in range(20))


SEATED = "hello 1 chess\nlimit move 100\nnew 1 1 2 5\n"
HANDSHAKE = ("uci=id author J\udcf6rg|uciok", "isready=readyok")
"""The answers of an engine that sends the name of its author in Latin-1, as older engines do."""


def test_an_engine_may_write_more_than_fits_into_the_memory_of_the_bridge(tmp_path: Path) -> None:
    loud = "|".join([f"info string {'bestmove ' * 20}" for _ in range(200)])
    uci = tmp_path / "loud.py"
    uci.write_text((BRIDGES / "uci" / "uci.py").read_text().replace("MUCH = 1 << 20", "MUCH = 1 << 10"))
    uci.write_text(uci.read_text().replace("CHUNK = 1 << 16", "CHUNK = 100"))
    said = f"{SEATED}position {START}\nplay 100 -1\nplay 100 -1\nbye\n"
    answered, _ = talk(tmp_path, str(uci), said, *HANDSHAKE, f"go={loud}|bestmove e2e4")
    assert answered.split("\n") == ["hello 1", "ready", "play e2e4", "play e2e4", ""]


def test_only_the_exact_score_of_the_best_move_counts(tmp_path: Path) -> None:
    infos = (
        "info depth 7 multipv 1 score cp 31 pv e2e4",
        "info depth 7 multipv 2 score cp -90 pv a2a4",
        "info depth 8 score cp 77 lowerbound pv e2e4",
        "info string the score is fine",
    )
    said = f"hello 1 chess\noption scores yes\n\nnew 1 1 2 5\nposition {START}\nplay 100 -1\nbye\n"
    answered, _ = talk(tmp_path, "uci", said, *HANDSHAKE, f"go={'|'.join(infos)}|bestmove e2e4")
    assert answered.split("\n") == ["hello 1", "ready", "play e2e4 31", ""]


def test_options_of_an_engine_have_no_case_and_buttons_have_no_value(tmp_path: Path) -> None:
    said = "hello 1 chess\noption variant threecheck\nnew 1 1 2 5\nbye\n"
    offered = (
        "uci=option name Hash type spin default 1|option name Clear Hash type button"
        "|option name UCI_Variant type combo default chess var chess var 3check var atomic|uciok"
    )
    _, heard = talk(
        tmp_path, "uci", said, offered, "isready=readyok", options=("--", "hash=16", "Clear Hash")
    )
    assert heard.split("\n")[1:4] == [
        "setoption name hash value 16",
        "setoption name Clear Hash",
        "setoption name UCI_Variant value 3check",
    ]


@pytest.mark.parametrize(
    ("name", "said", "answers", "why"),
    [
        ("uci", SEATED.replace("limit move 100", "option variant atomic"), HANDSHAKE, "does not play atomic"),
        (
            "uci",
            SEATED.replace("limit move 100", "option variant atomic"),
            ("uci=option name UCI_Variant type combo default chess var chess|uciok", "isready=readyok"),
            "does not offer UCI_Variant atomic",
        ),
        ("uci", f"{SEATED}position {START}\nplay 100 -1\n", (*HANDSHAKE, "go=bestmove"), "without a move"),
        ("gtp", "hello 1 go\nnew 1 1 2 5\nact 5000 -1\n", ("genmove== I5|", "else==|"), "'I5', which is no"),
        ("gtp", "hello 1 go\nnew 1 1 2 5\nact 5000 -1\n", ("genmove=? why|", "else==|"), "accept 'genmove"),
    ],
)
def test_a_bridge_says_in_a_sentence_what_is_wrong_with_its_engine(
    tmp_path: Path, name: str, said: str, answers: tuple[str, ...], why: str
) -> None:
    with pytest.raises(subprocess.CalledProcessError) as ended:
        talk(tmp_path, name, said, *answers)
    assert why in ended.value.stderr
    assert "Traceback" not in ended.value.stderr


@pytest.mark.parametrize("name", ["uci", "gtp"])
def test_an_engine_may_lie_in_the_folder_of_its_bot(tmp_path: Path, name: str) -> None:
    engine = tmp_path / "own"
    engine.write_text("#!/bin/sh\nread line\n")
    command = [sys.executable, str(BRIDGES / name / f"{name}.py")]
    for mode, given, why in ((0o600, "own", "not executable"), (0o700, "own", "ended"), (0o700, "", "give")):
        engine.chmod(mode)
        ended = subprocess.run(
            [*command, *given.split()],
            cwd=tmp_path,
            input="new 1 1 2 5\n",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 1
        assert why in ended.stderr
        assert "Traceback" not in ended.stderr


def test_lines_before_the_answer_of_a_program_are_no_answer(tmp_path: Path) -> None:
    said = "hello 1 openspiel_go\noption game go(board_size=9)\nnew 1 1 2 5\nact 5000 -1\nbye\n"
    answered, _ = talk(tmp_path, "gtp", said, "genmove=thinking|I like J2|= J2|", "else==|")
    assert answered.split("\n")[2] == "act 17"


def test_a_match_goes_through_the_bridge_to_gtp(tmp_path: Path) -> None:
    said = """\
hello 1 openspiel_go
option game go(board_size=9,komi=5.5)
new 1 2 2 5
played 1 42 B g5
act 5000 -1
played 2 17 W j2
played 1 81 B PASS
act 5000 20000
bye
"""
    answered, heard = talk(tmp_path, "gtp", said, "genmove== J2|", "else==|")
    assert answered.split("\n") == ["hello 1", "ready", "act 17", "act 17", ""]
    assert heard.split("\n") == [
        "boardsize 9",
        "clear_board",
        "komi 5.5",
        "play black G5",
        "time_settings 0 4 1",
        "time_left white 4 1",
        "genmove white",
        "play black pass",
        "time_settings 4 0 0",
        "time_left white 4 0",
        "genmove white",
        "quit",
        "",
    ]


def test_a_program_that_resigns_in_go_passes(tmp_path: Path) -> None:
    said = "hello 1 openspiel_go\noption game go\nnew 1 1 2 5\nact 5000 -1\nbye\n"
    answered, heard = talk(tmp_path, "gtp", said, "genmove== resign|", "else==|")
    assert answered.split("\n")[2:] == ["act 361", ""]
    assert "play black pass\nquit\n" in heard


def test_points_of_go_are_the_actions_of_openspiel() -> None:
    gtp = loaded("gtp")
    state = pyspiel.load_game("go(board_size=9)").new_initial_state()
    for action in range(82):
        name = gtp.point(action, 9)
        assert state.action_to_string(0, action).upper() == f"B {name.upper()}"
        assert gtp.action_of(name.upper(), 9) == action
    assert gtp.parameters("go(board_size=9,komi=5.5)") == (9, "5.5")
    assert gtp.parameters("go") == (19, "7.5")
    with pytest.raises(SystemExit, match="without a handicap"):
        gtp.parameters("go(handicap=2)")


@pytest.mark.parametrize(
    "said",
    ["", "7 C3", "C3 D4", "C\0003", "C\v3", "A\u0663", "I5", "K1", "A0", "A10", "A-1", "A" + "1" * 5000],
)
def test_what_is_no_point_of_the_board_is_no_move(said: str) -> None:
    with pytest.raises(SystemExit, match="which is no point of the board"):
        loaded("gtp").action_of(said, 9)
