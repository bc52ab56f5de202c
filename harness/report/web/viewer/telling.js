// Writes a record of a match as a sentence.
"use strict";

/** @param {Match} match */
const nameIn = (match) => (seat) => match.bots[Number(seat) - 1] ?? `seat ${seat}`;

/** @param {LogRecord} record @param {(seat: string | number) => string} name @param {boolean} protocol */
const toldTurn = (record, name, protocol) => {
  const time = span(record.us ?? 0);
  if (record.starts && record.said === "ready") return `${name(record.seat)} is ready after ${time}`;
  if (!record.ask && record.starts) return `${name(record.seat)} learns of the match and answers after ${time}`;
  if (!record.ask) return `${name(record.seat)} answers after ${time}`;
  if (!protocol && !record.failed) return board.answer(record.means ?? record.said, name(record.seat));
  const answer = record.said === undefined ? `gives no answer (${record.failed || "nothing came"})` : `says “${record.said}”`;
  return `${name(record.seat)} is asked “${record.ask}” and ${answer} after ${time}`;
};

// Returns the seats with the best rank.
/** @param {LogRecord} result */
const winnersOf = (result) => {
  const best = Math.min(...result.ranks);
  return result.ranks.flatMap((rank, place) => (rank === best ? [place + 1] : []));
};
const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
/** @param {LogRecord} result @param {Match} match */
const toldEnd = (result, match) => {
  const winners = winnersOf(result), names = winners.map((seat) => match.bots[seat - 1]);
  if (winners.length === match.bots.length) return "a draw";
  return winners.length === 1 ? `${names[0]} wins` : `${listed(names)} ${match.sides.some((side) => winners.every((seat) => side.includes(seat))) ? "win" : "share the first place"}`;
};

// Returns the sentence for an event of this game, or "" if the game has no sentence for it.
/** @param {Frame} frame @param {Match} match */
const toldEvent = ({ record, picture }, match) => board.tell?.(record.line.split(" "), { name: nameIn(match), to: record.to ?? [], picture, seats: match.bots.length }) ?? "";

/** @param {Frame} frame @param {Match} match @param {boolean} [protocol] @returns {string} */
const told = (frame, match, protocol = true) => {
  const { record } = frame, name = nameIn(match);
  if (record.is === "event") return toldEvent(frame, match) || record.line;
  if (record.is === "turn") return toldTurn(record, name, protocol);
  if (record.is === "fault") return `Fault of ${name(record.seat)}: ${record.name}${record.reason ? `, ${record.reason}` : ""}`;
  if (record.is === "stderr") return `${name(record.seat)} wrote to stderr: ${record.tail}`;
  if (record.is === "result") return `The end: ${toldEnd(record, match)}. ${record.reason[0].toUpperCase()}${record.reason.slice(1)}.`;
  if (record.is === "chance") return `Chance, ${record.stream}: ${[record.value].flat().join(" ")}`;
  if (record.is === "usage") return `CPU time used while not asked: ${record.cpu_us.map(span).join(", ")}`;
  return "";
};

// Returns whether a frame only shows details of the protocol: a question, an answer, a random value, CPU time, or a
// line that only repeats the picture, or that says nothing new. These details help a reader who looks for a mistake in
// a bot.
/** @param {Frame} frame @param {Match} match @returns {boolean} */
const isProtocol = (frame, match) => {
  const { record } = frame;
  if (record.is === "event") return Boolean(board.dull?.(wordsOf(frame))) || (match.quiet.includes(wordsOf(frame)[0]) && !toldEvent(frame, match));
  return ["chance", "usage"].includes(record.is) || (record.is === "turn" && !record.failed && !isStop(match, frame));
};

// Returns a sentence about the last record up to the frame `end`. If `protocol` is false, skips protocol details.
/** @param {Frame[]} frames @param {number} end @param {Match} match @param {boolean} protocol */
const toldAt = (frames, end, match, protocol) => {
  const frame = frames.slice(0, end + 1).findLast((each) => protocol || !isProtocol(each, match));
  return frame ? told(frame, match, protocol) : "The match begins";
};

/** @param {number} rank */
const ordinal = (rank) => {
  if (!Number.isInteger(rank)) return `shared ${rank}`;
  return `${rank}${rank % 100 > 10 && rank % 100 < 14 ? "th" : ["th", "st", "nd", "rd"][rank % 10] ?? "th"}`;
};
