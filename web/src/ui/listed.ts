/** An endless list: one page after the other, as far as somebody wants to read. */

import { useEffect, useRef, useState } from "preact/hooks";
import { type Order, type Page, renewed } from "../api/pages";
import { live } from "../console";
import { Followed } from "../live/followed";

export interface Listed<P> {
  pages: readonly P[];
  error: unknown;
  /** When the last page came, in milliseconds since 1970; 0 before the first. */
  at: number;
  waiting: boolean;
  /** Whether there is another page; a list that failed has none until it begins again. */
  more: boolean;
  next: () => void;
  /** Begin again with the first page; the old ones stay until it is there. */
  reload: () => void;
}

/** Where the first page of a list is pushed from. */
interface Pushed<P> extends Order<P> {
  address: string;
}

interface State<P> {
  of: string;
  pages: readonly P[];
  error?: unknown;
  at: number;
  waiting: boolean;
  /** Whether the page after those that are shown is awaited. */
  asked?: true;
}

/** The pages of a list, beginning anew whenever `key` changes; the first one is kept current if it is `pushed`. */
export const useListed = <P extends Page>(
  key: string,
  read: (cursor: { cursor?: string }) => Promise<P>,
  pushed?: Pushed<P>,
): Listed<P> => {
  const begun: State<P> = { of: key, pages: [], at: 0, waiting: true };
  const [state, setState] = useState(begun);
  const [turn, setTurn] = useState(0);
  const latest = useRef({ read, pushed });
  latest.current = { read, pushed };

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for the same once more
  useEffect(() => {
    setState((before) => (before.of === key ? { of: key, pages: before.pages, at: before.at, waiting: true } : begun));
    let first = true;
    const show = (page: P) => {
      const order = first ? undefined : latest.current.pushed;
      first = false;
      const at = Date.now();
      setState(({ pages, asked = false }) =>
        order
          ? { of: key, pages: renewed(pages, page, order, asked), at, waiting: asked, ...(asked && { asked }) }
          : { of: key, pages: [page], at, waiting: false },
      );
    };
    const followed = new Followed(pushed ? live : null, pushed?.address ?? "", () => latest.current.read({}), {
      value: show,
      error: (error) => setState((before) => ({ ...before, error, waiting: false })),
    });
    followed.read();
    return () => followed.leave();
  }, [key, pushed?.address, turn]);

  const { pages, error, at, waiting } = state.of === key ? state : begun;
  const cursor = pages.at(-1)?.cursor;
  const next = () => {
    if (cursor == null || waiting) return;
    setState((before) => ({ ...before, waiting: true, asked: true }));
    const end = (of: readonly P[]) => of.at(-1) && (pushed?.last(of.at(-1) as P) ?? of.at(-1));
    /** What is shown with an answer, if that still follows it. */
    const answered = (answer: (now: State<P>) => Partial<State<P>>) =>
      setState(({ asked: _, ...now }) => {
        if (now.of !== key) return now;
        return { ...now, ...(end(now.pages) === end(pages) ? answer(now) : {}), waiting: false };
      });
    read({ cursor }).then(
      (page) => answered((now) => ({ pages: [...now.pages, page], at: Date.now() })),
      (problem: unknown) => answered(() => ({ error: problem })),
    );
  };
  const reload = () => setTurn((before) => before + 1);
  return { pages, error, at, waiting, more: !error && cursor != null, next, reload };
};
