/** What a page reads: kept while it is read again, so that nothing flickers. */

import { useEffect, useRef, useState } from "preact/hooks";

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  /** When the value came, in milliseconds since 1970. */
  at: number;
  /** Whether an answer is awaited. */
  waiting: boolean;
  reload: () => void;
}

interface State<T> {
  key: string;
  value?: T;
  error?: unknown;
  at: number;
  waiting: boolean;
}

/** Read when the component appears, and whenever `key` changes; an answer to an earlier key is dropped. */
export const useLoaded = <T>(key: string, read: () => Promise<T>): Loaded<T> => {
  const [state, setState] = useState<State<T>>({ key, at: 0, waiting: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for the same once more
  useEffect(() => {
    let dropped = false;
    setState((before) => ({ ...(before.key === key ? before : { at: 0 }), key, waiting: true }));
    latest.current().then(
      (value) => dropped || setState({ key, value, at: Date.now(), waiting: false }),
      (error: unknown) => dropped || setState((before) => ({ ...before, key, error, waiting: false })),
    );
    return () => {
      dropped = true;
    };
  }, [key, turn]);
  const { value, error, at, waiting } =
    state.key === key ? state : { value: undefined, error: undefined, at: 0, waiting: true };
  return { value, error, at, waiting, reload: () => setTurn((before) => before + 1) };
};
