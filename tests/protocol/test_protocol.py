"""Tests the lines of the protocol: lines from bytes in pieces of any size, and every message."""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import protocol
from harness.model import FAULTS, Limits, Malformed
from harness.protocol import Misspelt, Problem, Wants
from harness.protocol.inbox import Inbox

LIMITS = Limits(line_bytes=16, unread_bytes=40)


def asked(inbox: Inbox, pieces: Iterable[bytes]) -> str | Misspelt | Problem | None:
    """What the inbox finds, if these pieces of bytes come after a question."""
    for piece in pieces:
        found = inbox.answer(piece)
        if found is not None:
            return found
    return None


def byte_by_byte(stream: bytes) -> list[bytes]:
    return [stream[place : place + 1] for place in range(len(stream))]


# -- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [lambda stream: [stream], byte_by_byte], ids=["whole", "byte by byte"])
@pytest.mark.parametrize(
    ("stream", "answer"),
    [
        (b"play 5D 5 5\n", "play 5D 5 5"),
        (b"play 5D 5 5\r\n", "play 5D 5 5"),
        (b"\n", ""),
        (b"\r\n", ""),
        (b" \n", " "),
        (b"# caf\xc3\xa9\n~\n", "~"),
        (b"# why\nplay\n", "play"),
        (b"123456789012345\n", "123456789012345"),
    ],
)
def test_an_answer_is_the_line_without_its_end(
    cut: Callable[[bytes], list[bytes]], stream: bytes, answer: str
) -> None:
    assert asked(Inbox(LIMITS), cut(stream)) == answer


@pytest.mark.parametrize("cut", [lambda stream: [stream], byte_by_byte], ids=["whole", "byte by byte"])
@pytest.mark.parametrize(
    ("said", "place", "sign"),
    [
        ("5\u017f", 2, "U+017F"),
        ("\u212aD", 1, "U+212A"),
        ("a\u0663", 2, "U+0663"),
        ("\U0001f0a1", 1, "U+1F0A1"),
        ("a\u00a0b", 2, "U+00A0"),
        ("a\tb", 2, "U+0009"),
        ("a\x1fb", 2, "U+001F"),
        ("a\x7f", 2, "U+007F"),
        ("a\rb", 2, "U+000D"),
        ("a\r", 2, "U+000D"),
    ],
)
def test_an_answer_with_other_characters_than_printable_ascii_is_misspelt(
    cut: Callable[[bytes], list[bytes]], said: str, place: int, sign: str
) -> None:
    reason = f"an answer consists of printable ASCII characters, but character {place} is {sign}; "
    assert asked(Inbox(LIMITS), cut(f"{said}\r\n".encode())) == (said, f"{reason}it said {said!a}")


def test_every_character_of_printable_ascii_may_be_in_an_answer() -> None:
    said = "".join(map(chr, range(32, 127)))
    assert Inbox(Limits()).answer(f"{said}\n".encode()) == said
    assert protocol.misspelt(said) == protocol.misspelt("") == ""


def test_a_long_misspelt_answer_is_quoted_cut() -> None:
    assert protocol.misspelt("\u017f" * 81).endswith("; it said '" + r"\u017f" * 80 + "'...")


def test_without_a_newline_there_is_no_answer_yet() -> None:
    inbox = Inbox(LIMITS)
    assert inbox.answer(b"") is None
    assert inbox.answer(b"play") is None
    assert inbox.answer(b"") is None
    assert inbox.left_over() == "play"
    assert inbox.answer(b"\n") == "play"
    assert inbox.left_over() == ""


def test_one_answer_follows_the_other() -> None:
    inbox = Inbox(LIMITS)
    assert [inbox.answer(b"one\n"), inbox.answer(b"tw"), inbox.answer(b"o\n")] == ["one", None, "two"]


@pytest.mark.parametrize("cut", [lambda stream: [stream], byte_by_byte], ids=["whole", "byte by byte"])
@pytest.mark.parametrize(
    ("stream", "name", "reason"),
    [
        (b"1234567890123456\n", "long-line", "a line of more than 16 bytes"),
        (b"1234567890123456", "long-line", "a line of more than 16 bytes"),
        (b"x" * 70_000, "long-line", "a line of more than 16 bytes"),
        (b"#34567890123456\r\n", "long-line", "a line of more than 16 bytes"),
        (b"# one\n" * 7, "flood", "more than 40 bytes without an answer"),
        (b"# one\n" * 6 + b"12345", "flood", "more than 40 bytes without an answer"),
        (b"pl\0ay\n", "nul", r"byte 3 of a line is NUL: 'pl\x00ay'"),
        (b"# a\0\n", "nul", r"byte 4 of a line is NUL: '# a\x00'"),
        (b"pl\xffay\n", "encoding", r"byte 3 of a line is not valid UTF-8: 'pl\xffay'"),
        (b"\xc3\n", "encoding", r"byte 1 of a line is not valid UTF-8: '\xc3'"),
        (b"\xff\0\n", "encoding", r"byte 1 of a line is not valid UTF-8: '\xff\x00'"),
    ],
)
def test_each_problem_has_its_name(
    cut: Callable[[bytes], list[bytes]], stream: bytes, name: str, reason: str
) -> None:
    assert asked(Inbox(LIMITS), cut(stream)) == Problem(name, reason)
    assert name in FAULTS


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (b"play\nplay\n", "said 'play' right after its answer 'play'"),
        (b"play\npl", "said 'pl' right after its answer 'play'"),
        (b"play\n\n", "said '' right after its answer 'play'"),
        (b"play\n# why\nmore\n", "said 'more' right after its answer 'play'"),
    ],
)
def test_more_than_an_answer_in_one_read_is_unasked(stream: bytes, reason: str) -> None:
    told = f"{reason}; notes go to standard error, or behind #"
    assert Inbox(LIMITS).answer(stream) == Problem("unasked", told)


def test_what_follows_an_answer_may_be_worse_than_unasked() -> None:
    found = Inbox(LIMITS).answer(b"play\n" + b"x" * 20)
    assert found == Problem("long-line", "a line of more than 16 bytes")


@pytest.mark.parametrize("lying", [b"play\n", b"\n", b"pl", b"# why\nplay\n"])
def test_what_lies_there_before_the_question_is_unasked(lying: bytes) -> None:
    found = Inbox(LIMITS).before_question(lying)
    assert isinstance(found, Problem)
    assert found.name == "unasked"
    assert "before it was asked; notes go to standard error, or behind #" in found.reason


@pytest.mark.parametrize("lying", [b"", b"# why\n", b"# why\n#\n", b"# wh", b"#"])
def test_comments_may_lie_there_before_the_question(lying: bytes) -> None:
    inbox = Inbox(LIMITS)
    assert inbox.before_question(lying) is None
    assert inbox.before_question(b"") is None


def test_a_comment_may_be_begun_before_a_question_and_ended_after_it() -> None:
    inbox = Inbox(LIMITS)
    assert inbox.before_question(b"# wh") is None
    assert inbox.answer(b"y\nplay\n") == "play"
    assert inbox.take_comments() == ("# why",)


def test_unread_bytes_are_counted_from_the_last_answer() -> None:
    inbox = Inbox(LIMITS)
    for _ in range(9):
        assert inbox.before_question(b"# 3456789012345\n") is None
        assert inbox.answer(b"# 3456789012345\nplay\n") == "play"


def test_comments_of_both_sides_of_a_question_are_counted_together() -> None:
    inbox = Inbox(LIMITS)
    assert inbox.before_question(b"# 3456789012345\n# 3456789012345\n") is None
    assert inbox.answer(b"12345678\n") == Problem("flood", "more than 40 bytes without an answer")


def test_as_many_comments_are_read_as_the_limit_allows() -> None:
    inbox = Inbox(Limits())
    assert inbox.before_question(b"#\n" * 32_768) is None
    assert inbox.before_question(b"#") == Problem("flood", "more than 65536 bytes without an answer")
    assert len(inbox.take_comments()) == 32_768


# -- however the bytes are cut ---------------------------------------------------------------------


def pieces(stream: bytes, cuts: Iterable[int]) -> list[bytes]:
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    return [stream[begin:end] for begin, end in pairwise(places)]


BYTES = st.text(alphabet="ab \r\0\u00e9", max_size=18).map(str.encode) | st.binary(max_size=18).map(
    lambda data: data.replace(b"\n", b"")
)
COMMENT = BYTES.map(lambda data: b"#" + data + b"\n")
ANSWER = BYTES.map(lambda data: data.lstrip(b"#") + b"\n")
CUTS = st.lists(st.integers(0, 200), max_size=8)


@given(st.lists(COMMENT, max_size=5), ANSWER, CUTS)
def test_however_the_bytes_are_cut_the_lines_are_the_same(
    comments: list[bytes], answer: bytes, cuts: list[int]
) -> None:
    stream = b"".join(comments) + answer
    whole, cut = Inbox(LIMITS), Inbox(LIMITS)
    found = asked(whole, [stream])
    assert asked(cut, pieces(stream, cuts)) == found
    if not isinstance(found, Problem):
        assert cut.take_comments() == whole.take_comments()


ARRIVALS = st.lists(
    st.sampled_from(["with the answer", "before the question", "after the question"]), max_size=4
)


@given(st.lists(ARRIVALS, min_size=1, max_size=4))
def test_whenever_comments_arrive_they_belong_to_the_next_answer(gaps: list[list[str]]) -> None:
    inbox = Inbox(Limits())
    for number, gap in enumerate(gaps):
        assert inbox.answer(b"play\n" + b"# with the answer\n" * gap.count("with the answer")) == "play"
        assert (inbox.take_comments() == ()) is (number == 0 or not gaps[number - 1])
        assert inbox.before_question(b"# before the question\n" * gap.count("before the question")) is None
        assert inbox.answer(b"# after the question\n" * gap.count("after the question")) is None
    assert inbox.answer(b"play\n") == "play"
    order = ("with the answer", "before the question", "after the question")
    assert inbox.take_comments() == tuple(f"# {when}" for when in order for _ in range(gaps[-1].count(when)))


@pytest.mark.parametrize(
    "reads",
    [
        [b"one\n# later\n", b"", b"two\n"],
        [b"one\n", b"# later\n", b"two\n"],
        [b"one\n", b"", b"# later\ntwo\n"],
        [b"one\n# la", b"ter\n", b"two\n"],
        [b"one\n# la", b"", b"ter\ntwo\n"],
    ],
)
def test_a_comment_after_an_answer_is_logged_with_the_next_whenever_it_came(reads: list[bytes]) -> None:
    inbox = Inbox(LIMITS)
    first, early, second = reads
    assert inbox.answer(first) == "one"
    assert inbox.take_comments() == ()
    assert inbox.before_question(early) is None
    assert inbox.answer(second) == "two"
    assert inbox.take_comments() == ("# later",)
    assert inbox.take_comments() == ()


def test_the_comments_before_a_failure_are_kept_for_it() -> None:
    inbox = Inbox(LIMITS)
    assert isinstance(inbox.answer(b"# why\none\n# then\ntwo\n"), Problem)
    assert inbox.take_comments() == ("# why", "# then")


def test_a_long_leftover_is_shown_cut() -> None:
    inbox = Inbox(Limits())
    assert inbox.answer(b"x" * 100) is None
    assert inbox.left_over() == "x" * 80 + "..."


# -- what is said ----------------------------------------------------------------------------------


def test_a_block_is_lines_each_with_its_newline() -> None:
    assert protocol.block(["one", "two"]) == b"one\ntwo\n"


def test_hello_says_version_and_game() -> None:
    assert protocol.hello("sevens") == "hello 1 sevens"


@pytest.mark.parametrize(
    ("said", "wants"),
    [
        ("hello 1", Wants()),
        ("hello 1 legal", Wants(legal=True)),
        ("hello 1 state legal", Wants(legal=True, state=True)),
    ],
)
def test_a_bot_asks_in_its_hello_for_what_it_wants(said: str, wants: Wants) -> None:
    assert protocol.read_hello(said) == wants


@pytest.mark.parametrize(
    "said", ["", "hello", "hello 2", "hello 1 ", "hello 1 all", "Hello 1", "hello 1  legal"]
)
def test_another_hello_is_malformed(said: str) -> None:
    found = protocol.read_hello(said)
    assert isinstance(found, Malformed)
    assert repr(said) in found.reason


@pytest.mark.parametrize(
    ("failed", "why", "asked"),
    [
        ("no-start", "at `hello`: ended with exit status 3", "hello"),
        ("unasked", "at `hello`: said 'two' right after its answer 'one'", "hello"),
        ("no-start", "`hello 1` is due, with `legal` and `state` if they are wanted; it said 'hi'", "hello"),
        ("no-start", "after `hello 1` may come `legal` and `state`; it said 'hello 1 moves'", "hello"),
        ("no-start", "ended with exit status 3", "new 1 1 2 9"),
        ("malformed", "`ready` is due; it said 'hello 1'", "new 1 1 2 9"),
    ],
)
def test_a_bot_that_fails_at_hello_was_asked_hello(failed: str, why: str, asked: str) -> None:
    assert protocol.asked("new 1 1 2 9", failed, why) == asked


def test_only_ready_is_ready() -> None:
    assert protocol.read_ready("ready") is None
    assert protocol.read_ready("ready ") == Malformed("`ready` is due; it said 'ready '")


def test_new_tells_options_limits_allies_and_names_and_asks_last() -> None:
    lines = protocol.new(
        ("rounds 3",), Limits(bank_ms=5_000), 2, 1, 4, 77, allies=(3,), names=("Anna", "B C", "D", "E")
    )
    assert lines == (
        *("option rounds 3", "limit start 10000", "limit move 1000", "limit bank 5000"),
        *("limit increment 0", "limit line 4096", "limit unread 65536", "ally 3"),
        *("name 1 Anna", "name 2 B C", "name 3 D", "name 4 E", "new 2 1 4 77"),
    )


def test_without_a_bank_the_limit_is_told_as_none() -> None:
    assert "limit bank -1" in protocol.new((), Limits(), 1, 1, 2, 1)


@pytest.mark.parametrize(
    ("question", "line"), [("play", "play 1000 -1"), ("act 3 P39.2", "act 1000 -1 3 P39.2")]
)
def test_a_question_tells_the_time_right_after_its_word(question: str, line: str) -> None:
    assert protocol.question(question, 1000, -1) == (line, f"{line.split()[0]} ")


def test_over_tells_the_results_by_seat() -> None:
    assert protocol.over((1.5, 1.5, 3), (7, 7, -2)) == (
        "result 1 1.5 7",
        "result 2 1.5 7",
        "result 3 3 -2",
        "over",
    )


def test_a_fault_is_told_on_one_line_of_ascii_whatever_its_reason_quotes() -> None:
    assert protocol.fault("malformed", "said 'caf\u00e9\n\r'") == (
        r"fault malformed said 'caf\xe9\n\r'",
        "over",
    )


def _every_first_word() -> Iterator[str]:
    yield from (line.split(" ")[0] for line in protocol.new(("x 1",), Limits(), 1, 1, 2, 1, (2,), ("A", "B")))
    yield from (line.split(" ")[0] for line in (*protocol.over((1,), (1,)), *protocol.fault("late", "it")))
    yield from (protocol.hello("x").split(" ")[0], protocol.BYE, "state", "legal", "move")


def test_no_game_may_use_a_word_of_the_protocol() -> None:
    from harness.testing.lines import RESERVED

    assert {*_every_first_word(), "ready"} == RESERVED
