"""Owns the proof that protocol.md is true: the tests run its transcripts, examples, bots and tables."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from harness import games, protocol
from harness.chance import Scripted, Seeded
from harness.config import read_bot
from harness.events import Fault, Record
from harness.games.sevens import GAME, SevensOptions
from harness.job import Entrant
from harness.judge.referee import Referee
from harness.judge.rules import Answer, Ask, Audit, Rules, Terms
from harness.model import FAULTS, Limits, Reply
from harness.protocol import Misspelt, Problem, Wants
from harness.protocol.inbox import Inbox
from harness.record.bot_numbers import numbers_of
from harness.sandbox import launch
from tests.play.seated import needs, played

MANUAL = (Path(__file__).parents[2] / "protocol.md").read_text()
READS, WRITES = "< ", "> "


# -- reading the manual ----------------------------------------------------------------------------


def section(title: str) -> str:
    """The text below a heading, with its subsections, up to the next heading of the same or a higher
    level."""
    found = re.search(rf"^(#+) {re.escape(title)}$", MANUAL, re.M)
    assert found, f"the manual has no section {title!r}"
    return re.split(rf"^#{{1,{len(found[1])}}} ", MANUAL[found.end() :], maxsplit=1, flags=re.M)[0]


def fenced(kind: str, text: str = MANUAL) -> str:
    """The content of the only code block of this kind."""
    [block] = re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)
    return str(block)


def example(title: str) -> list[str]:
    """The lines of the only example below this heading."""
    return fenced("text", section(title)).splitlines()


def rows(title: str) -> dict[str, list[str]]:
    """The rows of the table below a heading, by their first cells, without backquotes."""
    lines = re.findall(r"^\| (.*?) \|$", section(title).replace("`", ""), re.M)
    table = [[cell.strip() for cell in line.split("|")] for line in lines]
    return {row[0]: row[1:] for row in table}


def marked(mark: str, lines: list[str]) -> list[str]:
    """The lines with this mark (read or written), without the mark."""
    return [line.removeprefix(mark) for line in lines if line.startswith(mark)]


TRANSCRIPT = fenced("text transcript").splitlines()
AFTER_A_FAULT = fenced("text fault").splitlines()


# -- the transcripts -------------------------------------------------------------------------------


class Told:
    """A match of Sevens from the lines that one seat read and wrote. They reveal all cards and moves of all
    seats."""

    def __init__(self, transcript: list[str]) -> None:
        heard = [line.split() for line in marked(READS, transcript)]
        [self.new] = [words for words in heard if words[0] == "new"]
        self.number, self.seat, self.seats, self.seed = map(int, self.new[1:])
        played = [words[1:] for words in heard if words[0] == "played"]
        self.moves = {
            seat: [f"play {' '.join(move)}" for by, *move in played if int(by) == seat]
            for seat in range(1, self.seats + 1)
        }
        self.table = [words[1] for words in heard if words[0] == "table"]

    def deck(self) -> tuple[str, ...]:
        """The deal. It is known because all cards have been played at the end of a match."""
        hands = [move.split()[1] for moves in self.moves.values() for move in moves]
        return (*hands, *self.table)

    def replayed(self, own: list[str], wants: Wants) -> list[str]:
        """Plays the match again with the answers `own` of this seat. Returns the lines that it reads and
        writes."""
        seeds = tuple(self.seed if seat == self.seat else 1 for seat in self.moves)
        terms = Terms(Rules(GAME, SevensOptions("T0")), self.seats, self.number, seeds)
        chance = Scripted({"deal": self.deck()}, Seeded(1))
        answers = {seat: iter(["ready", *moves]) for seat, moves in self.moves.items()}
        answers[self.seat] = iter(own)
        lines: list[str] = []
        steps = Referee(replace(terms, wants=(wants,) * self.seats), chance, ignored).questions()
        answer: Answer = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration:
                return lines
            answer = None
            if isinstance(step, Audit):
                continue
            shown = [READS + line for line in step.block.decode().splitlines()]
            if isinstance(step, Ask):
                said = next(answers[step.seat])
                answer = Reply(said)
                shown.append(WRITES + said)
            if step.seat == self.seat:
                lines += shown


def ignored(record: Record) -> None:
    pass


TOLD = Told(TRANSCRIPT)
OWN = marked(WRITES, TRANSCRIPT)[1:]


def test_the_transcript_is_what_the_referee_says_in_that_match() -> None:
    assert TRANSCRIPT[:2] == [READS + protocol.hello("sevens"), WRITES + "hello 1 legal"]
    assert protocol.read_hello(TRANSCRIPT[1].removeprefix(WRITES)) == Wants(legal=True)
    assert TRANSCRIPT[2:-1] == TOLD.replayed(OWN, Wants(legal=True))
    assert TRANSCRIPT[-1] == READS + protocol.BYE


def test_the_wrong_claim_after_the_transcript_ends_the_match_as_it_says() -> None:
    [claim] = marked(WRITES, AFTER_A_FAULT)
    assert claim.rpartition(" ")[0] == OWN[1].rpartition(" ")[0]
    assert TOLD.replayed(["ready", claim], Wants(legal=True))[-3:] == AFTER_A_FAULT


# -- each message ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("hello", [protocol.hello("sevens")]),
        (
            "option, limit, ally, name, new",
            protocol.new(
                GAME.announce(SevensOptions()),
                Limits(bank_ms=60_000, increment_ms=100),
                number=2,
                seat=1,
                seats=4,
                seed=1804289383,
                allies=[3],
                names=["Anna's bot"],
            ),
        ),
        ("questions and answers", [protocol.question("play", 1000, -1)[0]]),
        ("result, over", protocol.over((2.5, 1, 4, 2.5), (5, 12, -3, 5))),
        ("fault", protocol.fault("illegal", "3C as 3 makes 73, which earns -3, not 5")),
        ("bye", [protocol.BYE]),
    ],
)
def test_an_example_is_what_the_harness_says(title: str, lines: list[str]) -> None:
    assert marked(READS, example(title)) == list(lines)


@pytest.mark.parametrize("title", ["events", "legal, move", "questions and answers"])
def test_an_example_from_the_game_stands_in_the_transcript(title: str) -> None:
    text = "\n".join(TRANSCRIPT)
    pieces = example(title) if title == "events" else ["\n".join(example(title))]
    assert [piece for piece in pieces if piece not in text] == []


def test_the_example_of_the_state_is_what_a_bot_reads_that_asked_for_it() -> None:
    lines = TOLD.replayed(OWN, Wants(state=True))
    first_turn = lines[: lines.index(WRITES + OWN[1])]
    assert [line for line in example("state") if line not in first_turn] == []


@pytest.mark.parametrize("name", games.names())
def test_the_first_word_of_an_answer_is_in_small_letters_in_every_game(name: str) -> None:
    assert "begins with the same word as the question, and this word is in small letters" in section(
        "questions and answers"
    )
    game = games.find(name)
    terms = Terms(Rules(game, game.options()), game.seats[0])
    written: list[Record] = []
    referee = Referee(terms, Seeded(3), written.append)
    steps = referee.questions()
    step = steps.send(None)
    while referee.state is None:
        step = steps.send(Reply("ready"))
    assert isinstance(step, Ask)
    word, _, rest = next(iter(referee.state.legal(step.seat))).partition(" ")
    steps.send(Reply(f"{word.upper()} {rest}"))
    assert [record.name for record in written if isinstance(record, Fault)][:1] == ["malformed"]


def test_the_command_in_a_bots_manifest_is_as_the_manual_and_the_readme_of_bots_show_it(
    tmp_path: Path,
) -> None:
    [named, run, build] = re.findall(r"`(\w+ = .*?)`", section("The life of a match"))
    (tmp_path / "bot.toml").write_text("\n".join((named, run, build)))
    listed = read_bot(tmp_path)
    assert (listed.name, listed.run, listed.build) == ("mine", ("python3", "main.py"), ("make",))
    readme = (Path(__file__).parents[2] / "bots" / "README.md").read_text()
    [text] = re.findall(r"be one string, such as `(run = .*?)`", readme)
    (tmp_path / "bot.toml").write_text(text)
    assert read_bot(tmp_path).run == listed.run
    [manifest] = re.findall(r"^## bot.toml\n\n```toml\n(.*?)^```$", readme, re.M | re.S)
    (tmp_path / "bot.toml").write_text(manifest)
    assert (read_bot(tmp_path).name, read_bot(tmp_path).language) == ("mine", "C")


def test_the_answers_in_the_examples_are_taken() -> None:
    [hello] = marked(WRITES, example("hello"))
    [ready] = marked(WRITES, example("option, limit, ally, name, new"))
    assert protocol.read_hello(hello) == Wants(legal=True)
    assert protocol.read_ready(ready) is None


def test_the_example_of_a_comment_is_one() -> None:
    inbox = Inbox(USUAL)
    comment, number, answer = marked(WRITES, example("comments"))
    assert inbox.answer(f"{comment}\n{number}\n{answer}\n".encode()) == answer
    assert inbox.take_comments() == (comment, number)
    assert numbers_of((comment, number)) == {"money": 12}


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("hello 1", Wants()),
        ("hello 1 state legal", Wants(legal=True, state=True)),
        ("hello 1 legal state", Wants(legal=True, state=True)),
    ],
)
def test_the_conveniences_stand_in_any_order(said: str, wants: Wants) -> None:
    assert protocol.read_hello(said) == wants


def test_a_block_brings_events_then_state_then_moves_then_the_question() -> None:
    lines = marked(READS, TOLD.replayed(OWN, Wants(legal=True, state=True)))
    first = lines[lines.index(" ".join(TOLD.new)) + 1 : lines.index("play 1000 -1") + 1]
    kinds = [line.split()[0] if line.split()[0] in KINDS else "event" for line in first]
    assert list(dict.fromkeys(kinds)) == ["event", "state", "legal", "move", "play"]


KINDS = ("state", "legal", "move", "play")


def test_no_line_of_the_game_begins_with_a_word_of_the_harness() -> None:
    [listed] = re.findall(r"^Events and questions of a game never begin .*?: (.*)\.$", MANUAL, re.M)
    words = set(re.findall(r"`(\w+)`", listed))
    assert words == {"fault", *(line.split()[0] for line in marked(READS, SYNOPSIS) if line[0].islower())}
    plain = marked(READS, TOLD.replayed(OWN, Wants()))
    begun = plain.index(" ".join(TOLD.new)) + 1
    ended = next(place for place, line in enumerate(plain) if line.startswith("result"))
    assert {line.split()[0] for line in plain[begun:ended]} & words == set()


SYNOPSIS = fenced("text", section("Synopsis")).splitlines()


def test_the_first_paragraph_says_flush() -> None:
    assert "Flush!" in section("The protocol").strip().split("\n\n")[0]


def test_the_version_in_the_manual_is_the_one_that_is_spoken() -> None:
    assert f"This is version {protocol.VERSION} of the protocol" in section("Versioning")


# -- limits ----------------------------------------------------------------------------------------


USUAL = Limits()
DEFAULTS = [
    ("time to start: for hello, and for each new", f"{USUAL.start_ms:,} ms"),
    ("time for a move", f"{USUAL.move_ms:,} ms"),
    ("bank: time for all answers of a match together", "none (-1)"),
    ("increment: time that is added to the bank after each answer", f"{USUAL.increment_ms} ms"),
    ("length of a line, including its newline", f"{USUAL.line_bytes:,} bytes"),
    ("bytes since your last answer, including comments", f"{USUAL.unread_bytes:,} bytes"),
    ("CPU time used in a match while you are not asked", f"{USUAL.ponder_ms} ms"),
    ("time to exit after bye", f"{USUAL.shutdown_ms:,} ms"),
    ("standard error, for a process", f"{USUAL.stderr_bytes:,} bytes"),
    ("legal moves listed", f"{USUAL.max_legal}"),
    ("wall-clock time of an answer, if CPU time is charged", "none"),
    ("memory, of all your processes together", f"{USUAL.memory_mb} MB"),
    ("CPU time in a match, of all your processes together", f"{USUAL.cpu_ms:,} ms"),
    ("processes and threads at the same time", f"{USUAL.processes}"),
    ("open files, in each process", f"{USUAL.open_files}"),
    ("files in the scratch folder", f"{USUAL.scratch_mb} MB"),
]


@pytest.mark.parametrize(("limit", "value"), DEFAULTS)
def test_the_manual_knows_the_default_of_each_limit(limit: str, value: str) -> None:
    assert rows("Limits")[limit][0] == value


def test_the_manual_names_every_variable_of_a_bots_environment() -> None:
    named = [name for row in rows("Limits") for name in row.split(", ") if name.isupper()]
    assert named == list(launch(["./bot"], Path("bots"), Path("scratch")).environment)


def name_of(found: str | Misspelt | Problem | None) -> str | None:
    if isinstance(found, Misspelt):
        return "malformed"
    return found.name if isinstance(found, Problem) else found


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"x" * 4095 + b"\n", "x" * 4095),
        (b"x" * 4096 + b"\n", "long-line"),
        (b"x" * 4096, "long-line"),
        (b"# 3456\n" * 9362 + b"y\n", "y"),
        (b"# 3456\n" * 9362 + b"yz\n", "flood"),
        (b"play\r\n", "play"),
        (b"\n", ""),
    ],
)
def test_a_limit_of_bytes_is_reached_exactly_where_the_manual_says(data: bytes, found: str) -> None:
    assert name_of(Inbox(USUAL).answer(data)) == found


# -- faults ----------------------------------------------------------------------------------------


def test_the_manual_names_every_fault() -> None:
    assert [name for name in rows("Faults") if name in FAULTS] == list(FAULTS)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"# 45678901234\n" * 4 + b"\0\xff\0\xff\0\xff\0\xff\0\xff", "flood"),
        (b"# 45678901234\n" * 3 + b"\0\xff" * 33, "long-line"),
        (b"\0\xff" * 33, "long-line"),
        (b"\0\xff\nmore\n", "encoding"),
        (b"\0\nmore\n", "nul"),
        (b"play\nmore\n", "unasked"),
        (b"play\nmore", "unasked"),
        (b"pl\xc3\xa4y\nmore\n", "unasked"),
        (b"pl\xc3\xa4y\n# more\n", "malformed"),
        (b"play\n# more\n", "play"),
        (b"# more\nplay\n# mo", "play"),
    ],
)
def test_faults_in_what_was_read_come_in_the_order_of_the_manual(data: bytes, name: str) -> None:
    [listed] = re.findall(r"in the order of its bytes\. (.*) If the output has a fault of this step", MANUAL)
    assert re.findall(r"`([a-z-]+)`", listed) == ["long-line", "flood", "encoding", "nul", "unasked"]
    assert name_of(Inbox(Limits(line_bytes=16, unread_bytes=64)).answer(data)) == name


@pytest.mark.parametrize(
    ("data", "name"),
    [(b"play\n", "unasked"), (b"pl", "unasked"), (b"\n", "unasked"), (b"\0\n", "nul")],
)
def test_what_lies_there_before_a_question_is_unasked_at_best(data: bytes, name: str) -> None:
    assert name_of(Inbox(USUAL).before_question(data)) == name


@pytest.mark.parametrize("data", [b"", b"# thinking\n", b"# thin"])
def test_comments_may_lie_there_before_a_question(data: bytes) -> None:
    assert Inbox(USUAL).before_question(data) is None


def judged(reply: Reply, limits: Limits = USUAL, *, at_new: bool = False, fresh: bool = True) -> str:
    """The fault that this reply of seat 1 causes in a match of two seats; "" if the match goes on."""
    terms = Terms(Rules(GAME, SevensOptions("T0"), limits), 2, fresh=(fresh, fresh))
    written: list[Record] = []
    steps = Referee(terms, Seeded(1), written.append).questions()
    step = steps.send(None)
    if not at_new:
        for said in ("ready", "ready"):
            step = steps.send(Reply(said))
    assert isinstance(step, Ask)
    steps.send(reply)
    return "".join(record.name for record in written if isinstance(record, Fault))


@pytest.mark.parametrize(
    ("reply", "fresh", "name"),
    [
        (Reply("ready", us=10_000_000), True, ""),
        (Reply("ready", us=10_000_001), True, "no-start"),
        (Reply("ready", us=10_000_001), False, "late"),
        (Reply(None, failed="crash"), True, "no-start"),
        (Reply(None, failed="crash"), False, "crash"),
        (Reply(None, failed="closed"), True, "no-start"),
        (Reply(None, us=10_000_001, failed="late"), True, "no-start"),
        (Reply(None, failed="flood"), True, "flood"),
        (Reply("redy"), True, "malformed"),
    ],
)
def test_what_keeps_a_bot_from_being_ready_has_the_name_that_the_manual_gives(
    reply: Reply, fresh: bool, name: str
) -> None:
    assert judged(reply, at_new=True, fresh=fresh) == name


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        (Reply("play", us=1_000_000), "malformed"),
        (Reply("play", us=1_000_001), "late"),
        (Reply("take 5D", us=1_000_000), "malformed"),
        (Reply("play 5D 6 0", us=1_000_001), "late"),
        (Reply("play 5D 6 0"), "illegal"),
        (Reply(None, us=2_000_000, failed="nul"), "nul"),
    ],
)
def test_an_answer_is_judged_by_its_bytes_then_the_clock_then_its_form_then_the_rules(
    reply: Reply, name: str
) -> None:
    assert judged(reply) == name


# -- time ------------------------------------------------------------------------------------------


def test_the_smaller_of_move_limit_and_bank_is_the_time_for_an_answer() -> None:
    bank = Limits(bank_ms=300)
    assert judged(Reply("play", us=300_000), bank) == "malformed"
    assert judged(Reply("play", us=300_001), bank) == "late"


def test_late_by_no_time_of_its_own_is_in_time() -> None:
    assert judged(Reply("play", us=1_500_000, excused_us=499_999)) == "late"
    assert judged(Reply("play", us=1_500_000, excused_us=500_000)) == "malformed"


def test_a_start_that_is_late_by_no_time_of_its_own_is_in_time_too() -> None:
    assert judged(Reply("ready", us=10_500_000, excused_us=499_999), at_new=True) == "no-start"
    assert judged(Reply("no", us=10_500_000, excused_us=500_000), at_new=True) == "malformed"


# -- the bots in ten lines -------------------------------------------------------------------------


def program(language: str, folder: Path) -> tuple[str, ...]:
    """The command that runs the manual's bot in this language."""
    source = fenced(language, section("A bot in ten lines"))
    assert len(source.splitlines()) == 10
    path = folder / f"bot.{language}"
    path.write_text(source)
    if language == "python":
        return sys.executable, str(path)
    if language == "sh":
        return "/bin/sh", str(path)
    needs("cc")
    subprocess.run(["cc", "-Wall", "-Werror", "-o", folder / "bot", path], check=True)
    return (str(folder / "bot"),)


@pytest.mark.parametrize("language", ["python", "c", "sh"])
def test_a_bot_in_ten_lines_plays_matches_by_the_rules(language: str, tmp_path: Path) -> None:
    bot = Entrant(f"{language} in ten lines", program(language, tmp_path), str(tmp_path))
    done = played([bot, bot, bot], matches=3)
    assert [match.faults for match in done.matches] == [()] * 3
    assert done.stderr == ()
