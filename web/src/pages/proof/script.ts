/** What was clicked, as a link by which somebody else sees a run of it: a seed, and a letter for each second and act. */

import { faultOf } from "./faults";
import type { Run } from "./run";

/** The API sees so many clicks again, in so many seconds (functions/systems/proof/clicks.py). */
const MOST = 60;
const LAST_MS = 180_000;
const REDRIVE = "r";

/** The same for everybody who looks at the same watch. */
export const seedOf = ({ watch }: Run): number => Number.parseInt(watch.slice(-3), 16) || 0;

/** Such as `12k,60p`: the last clicks, by the seconds since the run began, or since the first that can be seen again. */
export const scriptOf = ({ begun, clicked }: Run): string => {
  const from = Math.max(begun, (clicked.at(-1)?.at ?? begun) - LAST_MS);
  const clicks = clicked
    .filter(({ at }) => at >= from)
    .map(({ at, act }) => [Math.floor((at - from) / 1000), letterOf(act)] as const)
    .filter(([, letter]) => letter)
    .map(([second, letter]) => `${second}${letter}`);
  // A redrive is noted for each record, and done to all at once.
  const once = clicks.filter((each, place) => !each.endsWith(REDRIVE) || each !== clicks[place - 1]);
  return once.slice(-MOST).join();
};

const letterOf = (act: string): string => (act === "redrive" ? REDRIVE : faultOf(act).key);

/** Commas stay as they are, so that people can read it. */
export const linkTo = (seed: number | string, script: string): string =>
  `/proof?seed=${seed}${script && `&script=${script}`}`;
