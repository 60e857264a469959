/** An endless list: one page after the other, as far as somebody wants to read. */

import { useEffect, useRef, useState } from "preact/hooks";
import { type Page, renewed } from "../api/pages";
import { live } from "../console";
import { Followed } from "../live/followed";

export interface Listed<P> {
  pages: readonly P[];
  error: unknown;
  waiting: boolean;
  /** Whether there is another page; a list that failed has none until it begins again. */
  more: boolean;
  next: () => void;
  /** Begin again with the first page; the old ones stay until it is there. */
  reload: () => void;
}

/** Where the first page of a list is pushed from, and what of a page names the last of what it lists. */
interface Pushed<P> {
  address: string;
  last: (page: P) => string;
}

interface State<P> {
  of: string;
  pages: readonly P[];
  error?: unknown;
  waiting: boolean;
}

/** The pages of a list, beginning anew whenever `key` changes; the first one is kept current if it is `pushed`. */
export const useListed = <P extends Page>(
  key: string,
  read: (cursor: { cursor?: string }) => Promise<P>,
  pushed?: Pushed<P>,
): Listed<P> => {
  const begun: State<P> = { of: key, pages: [], waiting: true };
  const [state, setState] = useState(begun);
  const [turn, setTurn] = useState(0);
  const latest = useRef({ read, pushed });
  latest.current = { read, pushed };

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for the same once more
  useEffect(() => {
    setState((before) => (before.of === key ? { of: key, pages: before.pages, waiting: true } : begun));
    let first = true;
    const show = (page: P) => {
      const last = first ? undefined : latest.current.pushed?.last;
      first = false;
      setState(({ pages }) => ({ of: key, pages: last ? renewed(pages, page, last) : [page], waiting: false }));
    };
    const followed = new Followed(pushed ? live : null, pushed?.address ?? "", () => latest.current.read({}), {
      value: show,
      error: (error) => setState((before) => ({ ...before, error, waiting: false })),
    });
    followed.read();
    return () => followed.leave();
  }, [key, pushed?.address, turn]);

  const { pages, error, waiting } = state.of === key ? state : begun;
  const cursor = pages.at(-1)?.cursor;
  const next = () => {
    if (cursor == null || waiting) return;
    setState((before) => ({ ...before, waiting: true }));
    const end = (of: readonly P[]) => of.at(-1) && (pushed?.last(of.at(-1) as P) ?? of.at(-1));
    /** Whether what was asked for still follows what is shown. */
    const follows = (now: State<P>) =>
      now.of === key && now.pages.length === pages.length && end(now.pages) === end(pages);
    read({ cursor }).then(
      (page) => setState((now) => (follows(now) ? { ...now, pages: [...now.pages, page], waiting: false } : now)),
      (problem: unknown) => setState((now) => (follows(now) ? { ...now, error: problem, waiting: false } : now)),
    );
  };
  return { pages, error, waiting, more: !error && cursor != null, next, reload: () => setTurn((before) => before + 1) };
};
