/** A recount that goes on step by step: what its rounds have found, and when. */

import type { components } from "../../api/schema";

export type Step = components["schemas"]["ExactnessOut"];
type Compared = components["schemas"]["ComparedOut"];

/** The sums of some steps. */
export interface Sums {
  compared: number;
  equal: number;
  lacking: number;
  wrong: number;
  passed: number;
  shown: readonly Compared[];
}

export type Verdict = "equal" | "lacks" | "wrong";

export interface Rounds {
  /** The round that goes on, and the last one that has ended. */
  now: Sums;
  last: Sums | null;
  /** What differs at present and is looked at again. */
  doubted: number;
  /** When the last step was, in milliseconds since 1970; null before the first. */
  at: number | null;
  /** What was found in each minute since 1970 in which something was compared. */
  minutes: ReadonlyMap<number, Verdict>;
  cursor: string | null;
  ended: boolean;
}

const NOTHING: Sums = { compared: 0, equal: 0, lacking: 0, wrong: 0, passed: 0, shown: [] };
export const BEGUN: Rounds = {
  now: NOTHING,
  last: null,
  doubted: 0,
  at: null,
  minutes: new Map(),
  cursor: null,
  ended: false,
};

/** How many wrong or lacking ones are remembered. */
const SHOWN = 5;
export const MINUTE = 60_000;
export const MINUTES = 60;

/** With one more step. */
export const after = (before: Rounds, step: Step): Rounds => {
  const now = added(before.ended ? NOTHING : before.now, step);
  const at = Date.parse(step.at);
  return {
    now,
    last: step.ended ? now : before.last,
    doubted: step.doubted,
    at,
    minutes: withMinute(before.minutes, Math.floor(at / MINUTE), verdictOf(step)),
    cursor: step.cursor,
    ended: step.ended,
  };
};

const added = (sums: Sums, step: Step): Sums => ({
  compared: sums.compared + step.compared,
  equal: sums.equal + step.equal,
  lacking: sums.lacking + step.lacking,
  wrong: sums.wrong + step.wrong,
  passed: sums.passed + step.passed,
  shown: [...sums.shown, ...step.shown].slice(0, SHOWN),
});

/** What was found; null if nothing was compared, which is no verdict at all. */
export const verdictOf = ({
  compared,
  lacking,
  wrong,
}: Pick<Sums, "compared" | "lacking" | "wrong">): Verdict | null =>
  wrong ? "wrong" : lacking ? "lacks" : compared ? "equal" : null;

const WORSE: readonly (Verdict | null | undefined)[] = [undefined, null, "equal", "lacks", "wrong"];

const withMinute = (before: Rounds["minutes"], minute: number, found: Verdict | null): Rounds["minutes"] => {
  const worse = WORSE.indexOf(found) > WORSE.indexOf(before.get(minute)) ? found : (before.get(minute) ?? null);
  const kept = [...before].filter(([each]) => each > minute - MINUTES && each !== minute);
  return new Map(worse ? [...kept, [minute, worse]] : kept);
};

/** What is shown: a round that has ended, or what goes on while there is none, or while it finds something. */
export const told = ({ now, last }: Rounds): Sums => (last === null || now.wrong || now.lacking ? now : last);

/** The last hour, minute by minute, the oldest first: null for a minute in which nothing was compared. */
export const ticks = ({ minutes }: Rounds, now: number): (readonly [minute: number, Verdict | null])[] => {
  const first = Math.floor(now / MINUTE) - MINUTES + 1;
  return Array.from({ length: MINUTES }, (_, place) => [first + place, minutes.get(first + place) ?? null]);
};
