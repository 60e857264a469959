/** What is watched: what moved last unless somebody chooses, and as long as this tab is open. */

import type { Moved } from "../home/arrivals";
import type { Named } from "./answers";

export interface Choice {
  numbers: readonly Named[];
  /** Whether a plain ADD runs beside them. */
  plain: boolean;
}

/** The API watches no more. */
export const MOST = 20;
const FIRST = 4;
/** What has not moved for longer than this before the newest is not moving now. */
const LATELY_MS = 60_000;

/** Of what moves now the newest of each kind, then the second of each, and so on; then what moved before. */
export const firstOf = (moved: readonly Moved[], watchable: readonly string[]): readonly Moved[] => {
  const found = moved
    .filter(({ kind }) => watchable.includes(kind))
    .sort((one, other) => other.at.localeCompare(one.at));
  const lately = Date.parse(found[0]?.at ?? "") - LATELY_MS;
  const [moving, still] = [
    found.filter(({ at }) => Date.parse(at) >= lately),
    found.filter(({ at }) => Date.parse(at) < lately),
  ];
  const turns = moving.map((each, place) => {
    const newer = moving.slice(0, place).filter(({ kind }) => kind === each.kind);
    return [newer.length, each] as const;
  });
  return [...turns.sort(([one], [other]) => one - other).map(([, each]) => each), ...still].slice(0, FIRST);
};

const KEY = "proof";

/** What was chosen in this tab; null: nothing yet. */
export const kept = (): Choice | null => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
};

export const keep = (choice: Choice): void => sessionStorage.setItem(KEY, JSON.stringify(choice));
