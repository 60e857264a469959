/** One run of the proof: answers, one each second, folded into lines over time, lanes of faults and counts. */

import type { DoneOut, Look, Named, NumberOut, WatchOut } from "./answers";

export type Verdict = NumberOut["verdict"];
export type Compared = Exclude<Verdict, "begins">;

/** Instants are in milliseconds since 1970, by the clock of the API. */
export interface Span {
  from: number;
  until: number;
}

/** A time in which a number was found the same. `drift`: the plain ADD's, null if there is none. */
export interface Step extends Span {
  verdict: Verdict;
  difference: number | null;
  lacks: number;
  drift: number | null;
}

/** What one answer says of a shard. */
export interface Beat {
  at: number;
  delivered: number;
  again: number;
}

/** What somebody did here. `of`: the record that was redriven. */
export interface Clicked {
  at: number;
  /** A kind of fault, or a redrive. */
  act: string;
  of?: string;
}

export interface Run {
  watch: string;
  plain: boolean;
  begun: number;
  /** When the last answer was made. */
  at: number;
  /** By the name of a number. */
  steps: ReadonlyMap<string, readonly Step[]>;
  /** By the name of a shard, an entry for each of the last answers. */
  beats: ReadonlyMap<string, readonly Beat[]>;
  /** When records came again. */
  again: readonly number[];
  slowed: readonly Span[];
  /** The newest first. */
  done: readonly DoneOut[];
  /** The kind of each fault that was done. */
  faults: ReadonlyMap<string, string>;
  /** How many answers compared something, by the worst that they found. */
  compared: Readonly<Record<Compared, number>>;
  clicked: readonly Clicked[];
}

/** What is older is not shown, and forgotten. */
export const SHOWN_MS = 600_000;
/** Between answers that are further apart nothing is known. */
const APART_MS = 5000;
export const BEATS = 24;
/** More than one answer can tell, so that each of its lines is known again. */
const LINES = 200;

export const nameOf = ({ kind, dimensions, cell }: Named): string => JSON.stringify([kind, dimensions, cell]);

const begin = ({ id, plain, since }: WatchOut): Run => ({
  watch: id,
  plain,
  begun: Date.parse(since),
  at: 0,
  steps: new Map(),
  beats: new Map(),
  again: [],
  slowed: [],
  done: [],
  faults: new Map(),
  compared: { equal: 0, lacks: 0, wrong: 0 },
  clicked: [],
});

/** With one more answer; another watch begins another run. */
export const after = (run: Run | null, answer: Look): Run | null => {
  if (!answer.watch) return run;
  const before = run?.watch === answer.watch.id ? run : begin(answer.watch);
  const at = Date.parse(answer.at);
  const shown = at - SHOWN_MS;
  const lines = newLines(before, answer.done);
  const worst = worstOf(answer);
  return {
    ...before,
    at,
    steps: new Map(answer.numbers.map((each) => [nameOf(each), stepped(before.steps.get(nameOf(each)), each, at)])),
    beats: withBeats(before.beats, answer),
    again: [...before.again, ...(answer.shards.some((each) => each.again > 0) ? [at] : [])].filter(
      (each) => each > shown,
    ),
    slowed: withSlow(before.slowed, answer, at),
    done: [...lines, ...before.done].slice(0, LINES),
    faults: new Map([...before.faults, ...lines.map(({ id, kind }) => [id, kind] as const)]),
    compared: worst ? { ...before.compared, [worst]: before.compared[worst] + 1 } : before.compared,
  };
};

/** With what somebody has done. */
export const withClick = (run: Run | null, click: Clicked): Run | null =>
  run && { ...run, clicked: [...run.clicked, click] };

/** How often a kind of fault was done. */
export const timesOf = ({ faults }: Run, kind: string): number =>
  [...faults.values()].filter((each) => each === kind).length;

/** The worst verdict on the numbers of an answer; null if none of them was compared. */
export const worstOf = ({ numbers }: Pick<Look, "numbers">): Compared | null =>
  (["wrong", "lacks", "equal"] as const).find((wanted) => numbers.some(({ verdict }) => verdict === wanted)) ?? null;

const newLines = ({ begun, done }: Run, told: readonly DoneOut[]): readonly DoneOut[] => {
  const known = new Set(done.map(({ id, at }) => `${id} ${at}`));
  return told.filter(({ id, at }) => Date.parse(at) >= begun && !known.has(`${id} ${at}`));
};

/** The time between two answers is as the later one says: nothing is called equal that was not compared since. */
const stepped = (steps: readonly Step[] = [], number: NumberOut, at: number): readonly Step[] => {
  const { verdict, difference, lacks, plain } = number;
  const found = { verdict, difference, lacks, drift: plain?.drift ?? null };
  const last = steps.at(-1);
  const near = last !== undefined && at - last.until <= APART_MS;
  if (near && isSame(last, found)) return [...steps.slice(0, -1), { ...last, until: at }];
  const kept = steps.filter(({ until }) => until > at - SHOWN_MS);
  return [...kept, { ...found, from: near ? last.until : at, until: at }];
};

const isSame = (one: Omit<Step, keyof Span>, other: Omit<Step, keyof Span>): boolean =>
  one.verdict === other.verdict &&
  one.difference === other.difference &&
  one.lacks === other.lacks &&
  one.drift === other.drift;

/** A shard of which nothing has come for as long as is shown is no longer shown. */
const withBeats = (before: Run["beats"], { at, shards }: Look): Run["beats"] => {
  const told = new Map(shards.map((each) => [each.shard, each]));
  const names = [...new Set([...before.keys(), ...told.keys()])].sort();
  const beats = names.map((name) => {
    const { delivered = 0, again = 0 } = told.get(name) ?? {};
    return [name, [...(before.get(name) ?? []), { at: Date.parse(at), delivered, again }].slice(-BEATS)] as const;
  });
  return new Map(beats.filter(([, found]) => found.some(({ delivered, again }) => delivered + again > 0)));
};

const withSlow = (before: readonly Span[], { slow_until }: Look, at: number): readonly Span[] => {
  const kept = before.filter(({ until }) => until > at - SHOWN_MS);
  if (!slow_until || Date.parse(slow_until) <= at) return kept;
  const last = kept.at(-1);
  return last && at - last.until <= APART_MS
    ? [...kept.slice(0, -1), { ...last, until: at }]
    : [...kept, { from: at, until: at }];
};

/** How long a run has lasted at an instant, in minutes and seconds. */
export const clock = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
