// Describes the values that the scripts of the pages share. `.ci/scripts/check` reads this file; browsers do not.

/** A match as harness/report/replays.py makes it. */
interface Match {
  id: string;
  bots: string[];
  file: string;
  log: string;
  account: string;
  sides: number[][];
  /** How well a seat stands: the key in a picture, the noun, and whether fewer is better; null if the game has no scene. */
  standing: [key: string, noun: string, fewer: boolean] | null;
  /** The same for the numbers that the bots say about how well they stand; a match may have none of them. */
  guess: [key: string, noun: string, fewer: boolean] | null;
  moments: [line: number, kind: string, seat: number][];
  quiet: string[];
  opening: Picture;
  /** The only seat whose view the page has; undefined if the page has all views. If there is such a seat, the numbers of
   * lines count the steps that this seat sees, and not the lines of the log. */
  seat?: number;
  steps: [line: number, records: [viewers: number[] | null, record: LogRecord | string][], changes: [viewers: number[] | null, changes: Picture][]][];
}

/** The flat table of plain values that a board draws (see harness/report/scenes). */
type Picture = Record<string, any>;

/** A record of the log as a viewer may know it. `is` names its kind. */
interface LogRecord {
  is: string;
  line?: string;
  to?: number[];
  seat?: number;
  ask?: string;
  said?: string;
  means?: string;
  starts?: boolean;
  failed?: string;
  us?: number;
  limit_us?: number;
  name?: string;
  reason?: string;
  tail?: string;
  stream?: string;
  value?: any;
  cpu_us?: number[];
  ranks?: number[];
  scores?: number[];
}

/** A step of one viewer with the picture after it. */
interface Frame {
  line: number;
  picture: Picture;
  record: LogRecord;
}

/** A moment of a match at a stop. */
interface Mark {
  stop: number;
  kind: string;
  seat: number;
}

/** What a board needs besides the picture. Viewer 0 is the referee. */
interface Context {
  bots: string[];
  /** The seats of each side. Without alliances, each seat is a side. */
  sides: number[][];
  viewer: number;
  flipped: boolean;
  opening: Picture;
  moving: number;
  folded?: boolean;
  unfolded?: Set<string>;
}

/** The names for the sentence of an event, the picture after the event, and the number of seats. */
interface Telling {
  name: (seat: string | number) => string;
  to: number[];
  picture: Picture;
  seats: number;
}

/** The script of a game's board. */
interface Board {
  /** Draws a picture: a chart, if the game has a map, and the elements beside it. */
  draw(picture: Picture, context: Context): { chart?: SVGElement; rest: HTMLElement[] };
  /** Returns the signs of the drawing: for each, its element and the words that say what it means. */
  signs?(match: Match): any[][];
  /** Returns the sentence for an event, or "". */
  tell?(words: string[], telling: Telling): string;
  /** Returns whether an event says nothing new. */
  dull?(words: string[]): boolean;
  /** Returns whether something larger begins with an event. */
  beat?(words: string[]): boolean;
  /** What a beat is called, for example "round". */
  beats?: string;
  /** Returns the column and the text of a move, if moves stand in two columns. */
  pair?(words: string[], picture: Picture): { seat: number; text: string } | null;
  /** Returns the sentence for an answer. */
  answer?(said: string, name: string): string;
  /** True if each answer is a stop. */
  answers?: boolean;
  /** True if the board has two sides and can be turned. */
  turns?: boolean;
  colours?: string[];
  largest?: number;
  beside?: number;
}

/** A fork of a match that the viewer shows (see harness/report/branches.py). */
interface Branch {
  id: string;
  question: number;
  line: number;
  at: number;
  seat: number;
  said: string;
  move: string;
  scores: number[];
  how: string;
}

/** A row of the list in matches.js; index/make.js names its columns. */
type Row = any[];

/** The list in matches.js. If `until` has an encounter of a run, the matches of later encounters of this run have a replay
 * only if they have a fault. */
interface Listed {
  bots: string[];
  until: Record<string, number>;
  allied: boolean;
  /** Why matches do not count, as parts of sentences. */
  reasons: string[];
  rows: Row[];
  forks?: Record<string, Branch[]>;
}
