import { useEffect, useRef } from "preact/hooks";

/** Do something again and again while the page is looked at. */
export const useEvery = (milliseconds: number, act: () => void): void => {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || latest.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds]);
};
