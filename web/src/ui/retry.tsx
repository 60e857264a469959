/** A read that failed is tried again: by itself while the reason may pass, and at once if somebody asks. */

import { useEffect, useRef, useState } from "preact/hooks";
import { isPassing } from "../api/problem";

/** How long it waits before each try, in seconds; the last for all that follow. */
const PAUSES = [5, 10, 20, 40] as const;
/** Failures of one read that are closer together than this are one story. */
const ONE_STORY_MS = 120_000;

/** How often a read of this page has failed lately: a component that comes back with another failure remembers. */
const story = { tries: 0, last: 0 };

export const pauseAfter = (tries: number): number => PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 0;

export const Retry = ({ error, again }: { error: unknown; again: () => void }) => {
  const passing = isPassing(error);
  const [left, setLeft] = useState(0);
  const latest = useRef(again);
  latest.current = again;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure begins to count anew
  useEffect(() => {
    if (!passing) return;
    const now = Date.now();
    story.tries = now - story.last < ONE_STORY_MS ? story.tries + 1 : 0;
    story.last = now;
    let seconds = pauseAfter(story.tries);
    setLeft(seconds);
    const timer = setInterval(() => {
      // Nobody looks at a page that is hidden, and what it would ask for is charged.
      if (document.hidden) return;
      seconds -= 1;
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      latest.current();
    }, 1000);
    return () => clearInterval(timer);
  }, [passing, error]);
  return (
    <p class="retry">
      {passing && left > 0 && <span>again in {left} s</span>}
      <button type="button" onClick={again}>
        Try again
      </button>
    </p>
  );
};
