/** A simulated run, second by second, as the page would have folded it had it watched. */

import { figure } from "../../ui/figures";
import type { RunOut } from "./answers";
import { after, type Run } from "./run";

/** What was seen of a run up to each of its frames. */
export const runsOf = ({ watch, frames, clicked }: RunOut): readonly Run[] => {
  const clicks = clicked.map(({ at, act, of }) => ({ at: Date.parse(at), act, ...(of ? { of } : {}) }));
  const runs: Run[] = [];
  for (const frame of frames) {
    const run = after(runs.at(-1) ?? null, { ...frame, watch });
    if (run) runs.push({ ...run, clicked: clicks.filter(({ at }) => at <= run.at) });
  }
  return runs;
};

/** How the numbers compared with a count of all that was written, once it was delivered. */
export const endOf = ({ ends }: Pick<RunOut, "ends">): string => {
  const those = (wanted: string) => ends.filter(({ verdict }) => verdict === wanted).length;
  const [wrong, lacks] = [those("wrong"), those("lacks")];
  if (wrong) return `${figure(wrong)} of ${figure(ends.length)} numbers differed from a count of them`;
  if (lacks)
    return `each number equalled a count of them, but for what is in quarantine, which ${figure(lacks)} lacked`;
  return "each number equalled a count of them";
};
