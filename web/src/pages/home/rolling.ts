/** The recount that goes on while somebody looks at Home; what it has found stays while they look at other pages. */

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { useEvery } from "../../ui/every";
import { after, BEGUN } from "./round";

/** A step takes 250 read units at most: 50 of the units that a caller has in each second. */
const STEP_MS = 5000;

export const rounds = signal(BEGUN);

/** Take steps while this is shown; returns what went wrong with the last one, if anything. */
export const useRolling = (): unknown => {
  const [error, setError] = useState<unknown>();
  const under = useRef(false);
  const step = async () => {
    if (under.current) return;
    under.current = true;
    const { cursor } = rounds.peek();
    try {
      const query = cursor ? { cursor } : {};
      rounds.value = after(rounds.peek(), await bodyOf(api.GET("/exactness", { params: { query } })));
      setError(undefined);
    } catch (problem) {
      // A cursor of a release that is gone is worth nothing: the next step begins anew.
      rounds.value = { ...rounds.peek(), cursor: null };
      setError(problem);
    }
    under.current = false;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first step, once
  useEffect(() => void step(), []);
  useEvery(STEP_MS, () => void step());
  return error;
};
