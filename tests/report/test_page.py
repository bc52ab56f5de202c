"""Tests that the pages show the record, with its texts escaped, and nothing that must stay secret."""

from pathlib import Path

import pytest

from harness.cli.workspace import TEMPLATES
from harness.config import FrozenBot
from harness.events import RunBegan
from harness.model import Reply
from harness.record.log import whole
from harness.record.masking import unmasked
from harness.record.run import Run
from harness.record.run_folder import plan_of
from harness.report.names import Names
from harness.report.page import PAGES, elo_told
from harness.report.survey import ReplayChoice
from harness.report.writing import Report
from harness.schedule.formats import Ratios
from tests.cli.door import harness
from tests.report import played
from tests.report.packed import all_unpacked, listed, text_of
from tests.verify import forger


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = played.write(tmp_path_factory.mktemp("report"), deals=2, fault_at=9)
    done = harness("report", folder)
    assert done.exit_code == 0, done.output
    assert done.stdout == f"{folder / 'report' / 'index.html'}\n"
    return folder


def test_the_first_page_tells_the_standings_and_the_faults(cup: Path) -> None:
    page = (cup / "report" / "index.html").read_text()
    for told in ("anna", "bert", "malformed", "run-1/000/000001.jsonl:", "nonsense"):
        assert told in page


@pytest.mark.parametrize(("fault", "told"), [("unasked", False), ("late", True)])
def test_of_a_bot_that_said_too_much_the_page_does_not_say_that_it_said_nothing(
    fault: str, told: bool
) -> None:
    each = dict.fromkeys(
        ("bot", "match", "seat", "reason", "account", "ask", "view", "stderr", "log", "place", "href"), ""
    )
    parts = PAGES.get_template("parts.html").module
    shown = str(vars(parts)["fault"]({**each, "fault": fault, "said": None}, True))
    assert ("<dt>Answer</dt><dd>nothing</dd>" in shown) is told


def test_what_a_bot_wrote_is_escaped(cup: Path) -> None:
    page = (cup / "report" / "index.html").read_text()
    assert "nonsense &lt;b&gt;" in page
    assert "nonsense <b>" not in page


def test_every_plot_is_in_the_page(cup: Path) -> None:
    page = (cup / "report" / "index.html").read_text()
    for title in ("Head to head", "Places", "Over time", "Time for answers"):
        assert page.count(f'aria-label="{title}" style') == 2, "one for a column, and one for a phone"
    assert page.count("<svg ") == 8


def test_a_page_of_answers_without_times_has_no_plot_of_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All answers take no time, like those of sparring bots.
    monkeypatch.setattr(played, "Reply", lambda said, us, at: Reply(said, 0, at))
    folder = played.write(tmp_path)
    assert harness("report", folder, "--no-replays").exit_code == 0
    page = (folder / "report" / "index.html").read_text()
    assert "Over time" in page
    assert "Time for answers" not in page
    assert '"#pace"' not in page


def test_the_plot_of_times_says_that_it_leaves_out_sparring_bots(
    cup: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "Sparring bots are left out"
    assert told not in (cup / "report" / "index.html").read_text()
    monkeypatch.setattr(played, "FrozenBot", lambda name, path, *more: FrozenBot(name, "spar:4", *more))
    folder = played.write(tmp_path)
    assert harness("report", folder, "--no-replays").exit_code == 0
    assert told in (folder / "report" / "index.html").read_text()


def test_the_standings_draw_each_interval_in_its_row(cup: Path) -> None:
    page = (cup / "report" / "index.html").read_text()
    standings = page[page.index('<section id="standings">') : page.index('<section id="beats">')]
    assert standings.count('class="band"') == 2
    assert "the band its 95 % interval" in standings


def test_that_a_schedule_is_even_is_a_sentence(cup: Path) -> None:
    page = (cup / "report" / "index.html").read_text()
    said = "Every two bots played 4 matches together. Each bot sat in each seat in 2 matches."
    assert said in page
    assert "Matches together" not in page


def test_a_bot_that_is_left_alone_does_not_play_everything_again(tmp_path: Path) -> None:
    logs = played.write(tmp_path, fault_at=9, policy="disqualify")
    assert harness("report", logs, "--no-replays").exit_code == 0
    page = (logs / "report" / "index.html").read_text()
    assert "the matches of run 1 without a disqualified bot are counted" in page
    assert "So a match of run 1 counts if no disqualified bot played in it" in page
    assert "the others play everything again." not in page


def test_a_name_from_right_to_left_leaves_the_words_beside_it_in_their_order(tmp_path: Path) -> None:
    names = anna, bert = "\u05d0\u05e0\u05d4 7", "\u0628\u0637\u0644"
    logs = played.write(tmp_path, fault_at=9, policy="disqualify", names=names)
    assert harness("report", logs).exit_code == 0
    page = (logs / "report" / "index.html").read_text()
    assert f"<bdi>{bert}</bdi>: <b" in page
    assert f"</b> <bdi>{bert}</bdi> <span" in page
    assert listed(logs / "report")["reasons"] == [f"\u2068{bert}\u2069 was disqualified in run 1"]
    [replay, *_] = all_unpacked(next((logs / "report" / "matches").rglob("*.js")))
    assert sorted(replay["bots"]) == [f"\u2068{name}\u2069" for name in (anna, bert)]


def test_nothing_is_loaded_from_elsewhere(cup: Path) -> None:
    for file in (cup / "report").rglob("*.*"):
        text = file.read_text().replace("http://www.w3.org/", "")
        assert "http:" not in text, file
        assert "https:" not in text, file


def test_the_list_of_matches_is_a_script_that_calls_one_function(cup: Path) -> None:
    found = listed(cup / "report")
    assert found["bots"] == ["anna", "bert"]
    assert [row[0] for row in found["rows"]] == ["1.1.1.1", "1.1.1.2", "1.1.2.1", "1.1.2.2"]
    assert [row[4] for row in found["rows"]] == [[], [], [1], [1]]


def test_the_pages_of_a_report_lead_to_the_rules_of_the_game(cup: Path) -> None:
    for page, links in (("index.html", 1), ("match.html", 2)):
        assert (cup / "report" / page).read_text().count('href="rules.html"') == links
    assert '<h1 id="sevens">Sevens</h1>' in (cup / "report" / "rules.html").read_text()


def test_masked_pages_name_nobody_and_hold_no_stderr(tmp_path: Path) -> None:
    folder = played.write(tmp_path, deals=2, fault_at=9)
    assert harness("report", folder, "--mask").exit_code == 0
    for file in filter(Path.is_file, (folder / "report").rglob("*.*")):
        text = text_of(file)
        for secret in ("anna", "bert", "last word", "mask.json", "../run-1"):
            assert secret not in text, (file, secret)
    assert "team-" in (folder / "report" / "index.html").read_text()
    assert "anna" in (folder / "mask.json").read_text()
    assert not list((folder / "report").rglob("mask.json"))


def test_a_folder_without_a_log_is_refused_in_a_sentence(tmp_path: Path) -> None:
    done = harness("report", tmp_path)
    assert done.exit_code == 2
    assert "no folder of a run" in done.stderr


def test_a_certificate_that_is_none_is_refused_in_a_sentence(copy: Path) -> None:
    forger.change(copy / "tournament.jsonl", lambda line: line["is"] == "run", certificate="even")
    forger.seal(copy)
    done = harness("report", copy, "--no-replays")
    assert done.exit_code == 1
    assert "the certificate of run 2 is damaged" in done.stderr


def test_a_watched_report_grows_with_its_log_and_says_when_that_has_ended(tmp_path: Path) -> None:
    pages: list[Report] = []
    told: list[tuple[int, int, bool]] = []

    def look(logs: Path, sitting: int) -> None:
        if not pages:
            pages.append(Report(logs, plan_of(logs), logs / "report", Names(unmasked(played.NAMES), False)))
        pages[0].write(watched=True)
        index = (logs / "report" / "index.html").read_text()
        found = listed(logs / "report")
        scripts = len(list((logs / "report" / "matches").rglob("*.js")))
        told.append((len(found["rows"]), scripts, "watch.js" in index))

    logs = played.write(tmp_path, "sevens", 3, after=look)
    assert told == [(1, 1, True), (2, 2, True), (3, 3, True)]
    pages[0].write(watched=True)
    assert "watch.js" not in (logs / "report" / "index.html").read_text()


def test_isolation_and_the_digest_of_the_whole_are_told(cup: Path) -> None:
    page = (cup / "report" / "index.html").read_text()
    assert whole(cup) in page
    assert "Without isolation: 4 matches." in page


def test_without_replays_the_matches_are_listed_and_lead_nowhere(tmp_path: Path) -> None:
    folder = played.write(tmp_path, fault_at=3)
    assert harness("report", folder, "--no-replays").exit_code == 0
    assert not (folder / "report" / "match.html").exists()
    assert "match.html" not in (folder / "report" / "index.html").read_text()


@pytest.mark.parametrize(("choice", "told"), [("all", 4), ("faults", 2), ("0", 2), ("1", 4)])
def test_replays_are_those_of_the_first_matches_and_of_faults(tmp_path: Path, choice: str, told: int) -> None:
    folder = played.write(tmp_path, fault_at=3, deals=2)
    assert harness("report", folder, "--replays", choice).exit_code == 0
    files = (folder / "report" / "matches").rglob("*.js")
    assert sum(len(all_unpacked(file)) for file in files) == told
    until = listed(folder / "report")["until"]
    assert until == ({"1": 0} if told == 2 else {})


@pytest.mark.parametrize(
    ("first", "until"), [(None, None), (0, 0), (1, 1), (6, 1), (7, 2), (24, 4), (25, None)]
)
def test_the_first_replays_reach_to_the_end_of_an_encounter(first: int | None, until: int | None) -> None:
    run = Run(RunBegan(run=1, bots=("a", "b"), seats=2, encounters=5, sittings=2, deals=3))
    assert ReplayChoice(first).until(run) == until


def test_a_choice_of_replays_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    done = harness("report", tmp_path, "--replays", "some")
    assert done.exit_code == 2
    assert "--replays: expected all, faults or a number" in done.stderr


def test_a_report_of_before_leaves_no_match_behind(tmp_path: Path) -> None:
    folder = played.write(tmp_path, deals=2)
    assert harness("report", folder).exit_code == 0
    stray = folder / "report" / "matches" / "7" / "000" / "1.1.1.js"
    stray.parent.mkdir(parents=True)
    stray.write_text("replay({});")
    assert harness("report", folder, "--mask").exit_code == 0
    assert not stray.exists()
    assert len(list((folder / "report" / "matches").rglob("*.js"))) == 2


def test_a_game_that_is_gone_leaves_the_tables(tmp_path: Path) -> None:
    rules = tmp_path / "gone.py"
    rules.write_text((TEMPLATES / "game" / "tiny.py").read_text())
    folder = played.write(tmp_path, str(rules), options={"rounds": 2, "coins": 4})
    rules.unlink()
    done = harness("report", folder)
    assert done.exit_code == 0, done.output
    page = (folder / "report" / "index.html").read_text()
    assert "anna" in page
    assert "this report has no replays" in page


@pytest.mark.parametrize("broken", [b"nonsense\n", b'{"is":"event","line":"played x y z 0"}\n'])
def test_a_log_that_is_no_log_of_this_game_is_refused_in_a_sentence(tmp_path: Path, broken: bytes) -> None:
    folder = played.write(tmp_path)
    path = folder / "run-1" / "000" / "000001.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    there = next(place for place, line in enumerate(lines) if b'"played' in line)
    missing = len(lines[there]) + len(lines[there + 1]) - len(broken)
    path.write_bytes(b"".join([*lines[:there], b" " * missing + broken, *lines[there + 2 :]]))
    done = harness("report", folder)
    assert done.exit_code == 1
    assert "000001.jsonl" in done.stderr
    assert "bug" not in done.stderr


def test_a_file_that_was_cut_is_refused_in_a_sentence(tmp_path: Path) -> None:
    folder = played.write(tmp_path)
    path = folder / "run-1" / "000" / "000001.jsonl"
    path.write_bytes(path.read_bytes()[:-40])
    done = harness("report", folder)
    assert done.exit_code == 1
    assert "000001.jsonl" in done.stderr


def test_a_plan_that_does_not_name_who_played_is_refused_in_a_sentence(tmp_path: Path) -> None:
    folder = played.write(tmp_path)
    plan = folder / "plan.json"
    plan.write_text(plan.read_text().replace('"bert"', '"bart"'))
    done = harness("report", folder)
    assert done.exit_code == 1
    assert "bert" in done.stderr
    assert "bug" not in done.stderr


def test_watching_ends_with_the_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = played.write(tmp_path)
    journal = folder / "tournament.jsonl"
    *lines, last = journal.read_bytes().splitlines(keepends=True)
    looks: list[str] = []

    def grow(seconds: float) -> None:
        """Replaces `sleep`: the journal grows by half a line at the first call, then by the whole line."""
        looks.append((folder / "report" / "index.html").read_text())
        assert len(looks) < 9, "it watches a tournament that has ended"
        journal.write_bytes(b"".join(lines) + (last[:20] if len(looks) == 1 else last))

    monkeypatch.setattr("time.sleep", grow)
    journal.write_bytes(b"".join(lines))
    done = harness("report", folder, "--watch")
    assert done.exit_code == 0, done.output
    assert len(looks) == 2
    assert all("watch.js" in page for page in looks)
    assert "watch.js" not in (folder / "report" / "index.html").read_text()


def test_whoever_stops_watching_leaves_a_page_that_does_not_look_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played.write(tmp_path)
    journal = folder / "tournament.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))

    def stop(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", stop)
    assert harness("report", folder, "--watch").exit_code == 0
    assert "watch.js" not in (folder / "report" / "index.html").read_text()


@pytest.mark.parametrize(
    "pairs, told",
    [((0,) * 5, ""), ((0, 0, 0, 0, 8), "no Elo difference"), ((0, 1, 2, 1, 4), "a difference of +")],
)
def test_pairs_that_all_ended_alike_show_no_elo(pairs: tuple[int, ...], told: str) -> None:
    said = elo_told(Ratios(-3, 3, [], pairs, "normalized"))
    assert told in said
    assert bool(told) == bool(said)
