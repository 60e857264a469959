/** An endless list: one page after the other, as far as somebody wants to read. */

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Page, pages } from "../api/pages";
import { live } from "../console";

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

/** The pages of a list, beginning anew whenever `key` changes; the first one stays current if `address` says where it is. */
export const useListed = <P extends Page>(
  key: string,
  read: (cursor: { cursor?: string }) => Promise<P>,
  address?: string,
): Listed<P> => {
  const [found, setFound] = useState<readonly P[]>([]);
  const [error, setError] = useState<unknown>();
  const [waiting, setWaiting] = useState(true);
  const latest = useRef(read);
  latest.current = read;
  const list = useRef<AsyncGenerator<P> | null>(null);

  const advance = useCallback(async (source: AsyncGenerator<P>, first: boolean) => {
    setWaiting(true);
    try {
      const { value } = await source.next();
      if (list.current !== source) return;
      if (value) setFound((before) => (first ? [value] : [...before, value]));
      setError(undefined);
    } catch (problem) {
      if (list.current === source) setError(problem);
    }
    setWaiting(false);
  }, []);
  const begin = useCallback(() => {
    list.current = pages((cursor) => latest.current(cursor));
    void advance(list.current, true);
  }, [advance]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another list
  useEffect(() => {
    setFound([]);
    begin();
    return () => {
      list.current = null;
    };
  }, [key, begin]);

  useEffect(() => {
    if (address === undefined) return;
    return live?.subscribe(address, {
      read: begin,
      answer: (body) => setFound((before) => [body as P, ...before.slice(1)]),
    });
  }, [address, begin]);

  const next = () => {
    if (list.current && !waiting) void advance(list.current, false);
  };
  return { pages: found, error, waiting, more: !error && found.at(-1)?.cursor != null, next, reload: begin };
};
