"""Chooses some results of a tournament by a condition, and makes standings from only these results.

A condition has one term, or several terms that are joined by `and`: `seat = 1 and opponent != greedy`. A
result here is the rank and the score of one bot in one match. So a condition may choose the result of one
seat of a match, and leave out the result of another seat.

A condition is chosen after the matches were played, perhaps because a number in a table looked interesting.
If the results lead to the choice, no interval and no test is reliable. So these standings have no intervals
and no ranges of places.

All matches of a record have the same options of the game. So a term such as `option.dice = 2` chooses whole
records. Such a term is useful in a season, which has several records.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from operator import eq, ge, gt, le, lt, ne
from typing import Any, NamedTuple, TypeAlias

import msgspec

from harness.config.document import quoted
from harness.config.nearest import name_meant
from harness.errors import InputError
from harness.model import FAULTS, Number
from harness.record.history import History, MatchResult
from harness.results.discipline import counted, ruling
from harness.results.former import playing_first
from harness.results.ordering import HIGHEST_FIRST, Decider
from harness.results.standings import Standings, placed_by, row_of
from harness.results.totals import Totals, fault_kinds, take_one

Value: TypeAlias = Number | str
FLAG = "--where"
NONE = "none"
"""The value of `fault` for a result without a fault."""
OPERATORS: Mapping[str, Callable[[Number, Number], bool]] = {
    "=": eq,
    "!=": ne,
    "<=": le,
    ">=": ge,
    "<": lt,
    ">": gt,
}
YES_NO = {True: "yes", False: "no"}
NUMBERS = ("seat", "rank", "score", "round", "encounter")
TEXTS = ("opponent", "fault")
OPTION = "option."
"""The beginning of a key that names an option of the game."""
KEYS = (*NUMBERS, *TEXTS, f"{OPTION}NAME")
FORM = f"expected KEY OP VALUE, for example 'seat = 1'; KEY is {', '.join(KEYS[:-1])} or {KEYS[-1]}"
_TERM = re.compile(r"""\s*(\w+(?:\.\w+)?)\s*(!=|<=|>=|=|<|>)\s*("[^"]*"|'[^']*'|[^\s"'<>=!]+)\s*""")
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(?:\.[0-9]{1,18})?")
_AND = re.compile(r"and\b", re.I)


class Term(NamedTuple):
    """A comparison of a key with a value."""

    key: str
    operator: str
    value: Value


class OneResult(NamedTuple):
    """The result of one bot in one match."""

    match: MatchResult
    seat: int
    round: int

    @property
    def bot(self) -> str:
        """The bot in this seat."""
        return self.match.bots[self.seat - 1]


def parsed(written: str, bots: Mapping[str, str], options: Collection[str]) -> tuple[Term, ...]:
    """Reads a condition. `bots` maps each name that the user may write to the name of the bot on record.
    `options` has the names of the options.

    Raises InputError if the condition is wrong.
    """
    terms, at = [], 0
    while True:
        found = _TERM.match(written, at)
        if found is None:
            rest = written[at:].strip()
            raise InputError(f"{FORM}; not {quoted(rest)}" if rest else FORM, FLAG)
        key, operator, value = found.groups()
        if key.startswith(OPTION):
            terms.append(_of_option(key, operator, value, options))
        else:
            terms.append(_term(key, operator, value, bots))
        if found.end() == len(written):
            return tuple(terms)
        joint = _AND.match(written, found.end())
        if joint is None:
            rest = quoted(written[found.end() :])
            raise InputError(f"expected `and` between two conditions, not {rest}", FLAG)
        at = joint.end()


def _of_option(key: str, operator: str, written: str, options: Collection[str]) -> Term:
    name = key.removeprefix(OPTION)
    if name not in options:
        known = f"; there are {', '.join(sorted(options))}" if options else ""
        raise InputError(f"the game has no option {quoted(name)}{name_meant(name, options) or known}", FLAG)
    if _NUMBER.fullmatch(written):
        return Term(key, operator, float(written))
    if operator not in ("=", "!="):
        raise InputError(f"{key} {operator}: expected a number, not {quoted(written)}", FLAG)
    return Term(key, operator, _unquoted(written))


def _unquoted(written: str) -> str:
    return written[1:-1] if written[0] in "\"'" else written


def options_fit(options: Mapping[str, Any], terms: Iterable[Term]) -> bool:
    """Tells whether all terms of a condition that name options are true. `options` has the options of a
    record."""
    return all(
        _has(options.get(term.key.removeprefix(OPTION)), term)
        for term in terms
        if term.key.startswith(OPTION)
    )


def _has(value: object, term: Term) -> bool:
    if isinstance(term.value, str):
        text = YES_NO[value] if isinstance(value, bool) else str(value)
        return (text == term.value) == (term.operator == "=")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return term.operator == "!="
    return OPERATORS[term.operator](value, term.value)


def _term(key: str, operator: str, written: str, bots: Mapping[str, str]) -> Term:
    if key in NUMBERS:
        if not _NUMBER.fullmatch(written):
            raise InputError(f"{key}: expected a number, not {quoted(written)}", FLAG)
        return Term(key, operator, float(written))
    if key not in TEXTS:
        raise InputError(f"{FORM}; {quoted(key)} is no key{name_meant(key, KEYS)}", FLAG)
    if operator not in ("=", "!="):
        raise InputError(f"{key}: expected = or !=, not {operator}", FLAG)
    value = _unquoted(written)
    known = (NONE, *FAULTS) if key == "fault" else tuple(bots)
    if value not in known:
        what = f"fault; expected {', '.join(known)}" if key == "fault" else "bot"
        raise InputError(f"{key}: {quoted(value)} is no {what}{name_meant(value, known)}", FLAG)
    return Term(key, operator, bots.get(value, value) if key == "opponent" else value)


def fits(result: OneResult, terms: Iterable[Term]) -> bool:
    """Tells whether all terms of a condition are true for a result. Ignores terms that name options, because
    `options_fit` checks these."""
    return all(_is_true(result, term) for term in terms if not term.key.startswith(OPTION))


def _is_true(result: OneResult, term: Term) -> bool:
    match, place = result.match, result.seat - 1
    if isinstance(term.value, str):
        if term.key == "opponent":
            texts = {bot for seat, bot in enumerate(match.bots, 1) if seat != result.seat}
        else:
            texts = {fault.name for fault in match.faults if fault.seat == result.seat} or {NONE}
        return (term.value in texts) == (term.operator == "=")
    value: Number
    if term.key == "seat":
        value = result.seat
    elif term.key == "round":
        value = result.round
    elif term.key == "encounter":
        value = int(match.encounter.partition(".")[2])
    else:
        value = (match.ranks if term.key == "rank" else match.scores)[place]
    return OPERATORS[term.operator](value, term.value)


def chosen(
    found: Standings,
    history: History,
    written: str,
    options: Mapping[str, Any],
    order: Decider | None = None,
    present: Callable[[str], str] = str,
) -> Standings:
    """Returns the standings `found`, computed again from only those results for which a condition is true.
    `options` has the options of the record.

    `order` decides the places: "rank" (the default), "score" or "wins". `present` returns the name
    that the user knows for a bot on record. Raises InputError if the condition is wrong.
    """
    ruled = ruling(history, found.policy, found.strikes)
    bots = ruled.run.bots if ruled.run else ()
    terms = parsed(written, {present(bot): bot for bot in bots}, options)
    counting = counted(history, ruled) if options_fit(options, terms) else ()
    order = order or "rank"
    totals = {row.bot: Totals() for row in found.rows}
    matches = set()
    for result in _results(history, counting):
        if result.bot in totals and fits(result, terms):
            take_one(result.match, result.seat, totals[result.bot])
            matches.add(result.match.id)
    rows = [row_of(bot, own) for bot, own in totals.items()]
    keys = {
        row.bot: {"rank": row.average_rank, "score": row.score, "wins": row.win_share}[order] for row in rows
    }
    made = msgspec.structs.replace(
        found,
        rows=placed_by(rows, keys, order in HIGHEST_FIRST),
        matches=len(matches),
        order=order,
        why="",
        differ=False,
        seats=(),
        faults=fault_kinds(totals),
        off=None,
        model=None,
        by_sitting=False,
        where=written.strip(),
    )
    return playing_first(made, history)


def _results(history: History, matches: Iterable[MatchResult]) -> Iterator[OneResult]:
    """Yields the result of each seat of these matches."""
    for match in matches:
        run, encounter = map(int, match.encounter.split("."))
        round_ = history.runs[run - 1].encounters[encounter].round
        for seat in range(1, len(match.bots) + 1):
            yield OneResult(match, seat, round_)
