"""Defines the tables of an export, and each of their columns with its type, its unit and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

ColumnType: TypeAlias = Literal["text", "int", "float", "bool"]


class ExportColumn(NamedTuple):
    """A column of a table. `meaning` is for the page and for the metadata of Parquet files."""

    name: str
    type: ColumnType
    meaning: str


_MATCH = ExportColumn("match", "text", "id of the match: run.encounter.sitting.number")
_BOT = ExportColumn("bot", "text", "name of the bot in this seat")
_SEAT = ExportColumn("seat", "int", "seat, from 1")
_ASK = ExportColumn("ask", "text", "the question, as the bot received it")
_SAID = ExportColumn("said", "text", "its answer; empty if no answer came, or no valid line")

TABLES: Mapping[str, tuple[ExportColumn, ...]] = {
    "tournament": (
        ExportColumn("tournament", "text", "name of the tournament"),
        ExportColumn("game", "text", "name of the game"),
        ExportColumn("game_version", "int", "version of its rules"),
        ExportColumn("options", "text", "options of the game, as one JSON object"),
        ExportColumn("policy", "text", "what a fault leads to: disqualify, forfeit or strikes"),
        ExportColumn("clock", "text", "what the times of answers measure: wall or cpu"),
        ExportColumn("move_us", "int", "µs; the limit for one answer"),
        ExportColumn("harness", "text", "version of harness that began the tournament"),
        ExportColumn("ended", "bool", "whether the tournament has ended"),
        ExportColumn("digest", "text", "digest of the whole record, as harness verify prints it"),
    ),
    "bots": (
        ExportColumn("bot", "text", "name of the bot"),
        ExportColumn("language", "text", "its language, if its manifest names one"),
        ExportColumn("house", "bool", "whether it is a house bot"),
        ExportColumn("disqualified_in", "int", "the run in which it was disqualified; empty if it was not"),
    ),
    "matches": (
        _MATCH,
        ExportColumn("tournament", "text", "name of the tournament"),
        ExportColumn("run", "int", "run, from 1; a disqualification starts the next run"),
        ExportColumn("round", "int", "round of the schedule, from 1"),
        ExportColumn("encounter", "int", "encounter of the run, from 1: one set of bots at one table"),
        ExportColumn("sitting", "int", "sitting of the encounter, from 1: one set of processes"),
        ExportColumn("number", "int", "number of the match in its sitting, from 1"),
        ExportColumn("deal", "text", "matches with the same deal had the same luck"),
        ExportColumn("seats", "int", "number of seats"),
        ExportColumn("counts", "bool", "whether it counts in the standings of the plan's own policy"),
        ExportColumn("isolation", "text", "how bots were isolated; none if they were not"),
        ExportColumn("questions", "int", "questions to all seats, without new"),
        ExportColumn("faults", "int", "faults"),
        ExportColumn("us", "int", "µs; wall-clock time from the begin of the match to its last question"),
        ExportColumn("reason", "text", "why the match ended"),
    ),
    "seats": (
        _MATCH,
        ExportColumn("run", "int", "run, as in matches"),
        ExportColumn("encounter", "int", "encounter, as in matches"),
        ExportColumn("deal", "text", "deal, as in matches"),
        ExportColumn("counts", "bool", "as in matches"),
        _SEAT,
        _BOT,
        ExportColumn("rank", "float", "1 is best; tied seats share the average of their places"),
        ExportColumn("score", "float", "points in the game's own scoring"),
        ExportColumn("win", "float", "1 for the best rank; k seats that share it get 1/k each"),
        ExportColumn("fault", "text", "name of its first fault in this match; empty if it had none"),
        ExportColumn("questions", "int", "questions to this seat, without new"),
        ExportColumn("us", "int", "µs; time of its answers together, without new"),
        ExportColumn("excused_us", "int", "µs; the part of us that was not the bot's own time"),
        ExportColumn("slowest_us", "int", "µs; the longest of these times, with its excused part"),
        ExportColumn("start_us", "int", "µs; time until it was ready for the match (its answer to new)"),
        ExportColumn("idle_cpu_us", "int", "µs; CPU time that it used while it was not asked"),
        ExportColumn("seed", "int", "the seed that the bot received"),
        ExportColumn("wants", "text", "words that it asked for in its handshake: legal, state or both"),
    ),
    "turns": (
        _MATCH,
        ExportColumn("turn", "int", "number of the question in its match, from 1"),
        _SEAT,
        _BOT,
        ExportColumn("word", "text", "first word of the question; new starts a match for a seat"),
        _ASK,
        _SAID,
        ExportColumn("at_us", "int", "µs; wall-clock time of the question since the match began"),
        ExportColumn("us", "int", "µs; time until the answer"),
        ExportColumn("excused_us", "int", "µs; the part of us that was not the bot's own time"),
        ExportColumn("unseen_us", "int", "µs; the part of excused_us in which harness did not look"),
        ExportColumn("waited_us", "int", "µs; the part of excused_us in which no CPU was free"),
        ExportColumn("limit_us", "int", "µs; the limit for this answer"),
        ExportColumn("failed", "text", "name of the fault if no valid answer came, else empty"),
        ExportColumn("why", "text", "the reason of failed"),
        ExportColumn("comments", "text", "comments that the bot wrote, one in each line"),
    ),
    "faults": (
        _MATCH,
        ExportColumn("fault", "int", "number of the fault in its match, from 1"),
        _SEAT,
        _BOT,
        ExportColumn("name", "text", "name of the fault"),
        ExportColumn("reason", "text", "what was wrong"),
        _ASK,
        _SAID,
        ExportColumn("view", "text", "all that the seat could know, one line for each fact"),
        ExportColumn("stderr", "text", "the last text that the bot wrote to standard error"),
        ExportColumn("disqualified", "bool", "whether the bot was disqualified because of this match"),
    ),
}


def as_markdown(table: str) -> str:
    """The columns of a table, as the page on exports shows them."""
    rows = (f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in TABLES[table])
    return "\n".join(("| column | type | meaning |", "|---|---|---|", *rows))
