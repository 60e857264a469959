/** What a page reads: kept while it is read again, so that nothing flickers. */

import { useEffect, useRef, useState } from "preact/hooks";

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  /** Whether an answer is awaited. */
  waiting: boolean;
  reload: () => void;
}

/** Read when the component appears, and whenever `key` changes; an answer to an earlier key is dropped. */
export const useLoaded = <T>(key: string, read: () => Promise<T>): Loaded<T> => {
  const [state, setState] = useState<{ key: string; value?: T; error?: unknown; waiting: boolean }>({
    key,
    waiting: true,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for the same once more
  useEffect(() => {
    let dropped = false;
    setState((before) => ({ ...(before.key === key ? before : {}), key, waiting: true }));
    latest.current().then(
      (value) => dropped || setState({ key, value, waiting: false }),
      (error: unknown) => dropped || setState({ key, error, waiting: false }),
    );
    return () => {
      dropped = true;
    };
  }, [key, turn]);
  const { value, error, waiting } = state.key === key ? state : { value: undefined, error: undefined, waiting: true };
  return { value, error, waiting, reload: () => setTurn((before) => before + 1) };
};
