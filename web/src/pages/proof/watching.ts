/** What goes on while somebody looks at the proof: it is watched, read each second, and broken when somebody asks. */

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { pages } from "../../api/pages";
import { ApiError } from "../../api/problem";
import { api } from "../../console";
import { useEvery } from "../../ui/every";
import type { Loaded } from "../../ui/loaded";
import type { Moved } from "../home/arrivals";
import type { Kind, ProofOut } from "./answers";
import { type Choice, firstOf, keep, kept } from "./choice";
import { after, type Clicked, type Run, withClick } from "./run";

const LOOK_MS = 1000;
/** A watch ends by itself after half a minute. */
const WATCH_MS = 10_000;
/** Each reads a hundred numbers. */
const MOST_PAGES = 5;

/** The run stays while other pages are looked at. */
export const run = signal<Run | null>(null);
export const choice = signal<Choice | null>(null);
/** What moved last, of which somebody chooses. */
export const recent = signal<readonly Moved[]>([]);
/** Why the last thing that somebody asked for was refused. */
export const refusal = signal<unknown>(undefined);

export const choose = (to: Choice): void => {
  choice.value = to;
  keep(to);
};

export const clicked = (click: Clicked): void => {
  run.value = withClick(run.peek(), click);
};

/** Ask for a fault; it is done with the next delivery. */
export const ask = async (kind: Kind): Promise<void> => {
  refusal.value = undefined;
  try {
    const { at } = await bodyOf(api.POST("/proof/faults", { body: { kind } }));
    clicked({ at: Date.parse(at), act: kind });
  } catch (error) {
    refusal.value = error;
  }
};

/** Read what moved last. It is said of no page how fresh that is: what is watched is read anew each second. */
export const readRecent = async (): Promise<void> => {
  const found: Moved[] = [];
  let read = 0;
  const walk = pages(async (cursor) => {
    const { data } = await api.GET("/recent", { params: { query: cursor } });
    return data ?? { moved: [], cursor: null };
  });
  for await (const { moved } of walk) {
    found.push(...moved);
    read += 1;
    if (read === MOST_PAGES) break;
  }
  recent.value = found.sort((one, other) => other.at.localeCompare(one.at));
};

/** The last answer, and what keeps it current: nothing is watched or read while the page is hidden. */
export const useProof = (): Loaded<ProofOut> => {
  const [state, setState] = useState<{ value?: ProofOut; error?: unknown; at: number }>({ at: 0 });
  const under = useRef(false);
  const cursor = useRef<string | null>(null);
  const watched = useRef<{ of: Choice | null; at: number }>({ of: null, at: 0 });
  const sought = useRef(0);
  /**
   * Choose what somebody else watches, or what moves; while nothing does, it is looked for again now and then. Returns
   * whether that was chosen now.
   */
  const begin = async ({ watch, watchable, numbers }: ProofOut): Promise<boolean> => {
    if (choice.peek() || (!watch && Date.now() - sought.current < WATCH_MS)) return false;
    sought.current = Date.now();
    if (!watch) await readRecent();
    // There is one watch: whoever watched something else would end that of others.
    const found = watch ? numbers : firstOf(recent.peek(), watchable);
    if (found.length)
      choose({
        numbers: found.map(({ kind, dimensions, cell }) => ({ kind, dimensions, cell })),
        plain: watch?.plain ?? true,
      });
    return found.length > 0;
  };
  const watch = async () => {
    const of = choice.peek();
    const due = watched.current.of !== of || Date.now() - watched.current.at >= WATCH_MS;
    if (!of?.numbers.length || !due) return;
    await bodyOf(api.PUT("/proof/watch", { body: { numbers: [...of.numbers], plain: of.plain } }));
    watched.current = { of, at: Date.now() };
  };
  const read = async (): Promise<ProofOut> => {
    const query = cursor.current ? { cursor: cursor.current } : {};
    const value = await bodyOf(api.GET("/proof", { params: { query } }));
    cursor.current = value.cursor;
    return value;
  };
  const look = async () => {
    if (under.current || document.hidden) return;
    under.current = true;
    try {
      await watch();
      let value = await read();
      // Nothing can be broken before it is watched: what was done by then is in no log of a watch.
      if (await begin(value)) {
        await watch();
        value = await read();
      }
      run.value = after(run.peek(), value);
      setState({ value, at: Date.now() });
    } catch (error) {
      // A cursor of another release is worth nothing: the next look begins without it.
      if (cursor.current && error instanceof ApiError && error.status === 400) cursor.current = null;
      else setState((before) => ({ ...before, error }));
    }
    under.current = false;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first look, once
  useEffect(() => {
    choice.value = kept();
    refusal.value = undefined;
    void look();
  }, []);
  // What failed says itself when it is tried again.
  useEvery(LOOK_MS, () => state.error || void look());
  const { value, error, at } = state;
  return { value, error, at, waiting: value === undefined && !error, reload: () => void look() };
};
