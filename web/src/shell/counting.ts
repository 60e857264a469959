/** Counts what waits on pages that are not shown, once a minute while somebody looks. */

import { useEffect } from "preact/hooks";
import { forgetCount, hearCount } from "../api/counts";
import { api } from "../console";
import { useEvery } from "../ui/every";

const EVERY_MS = 60_000;
/** One more than is told apart. */
const ALERTS = 10;

/** Who is no administrator is not told what is in quarantine. It is said of no page how fresh these counts are. */
export const useCounts = (administrator: boolean): void => {
  const read = () => {
    void told("/alerts", () => api.GET("/alerts", { params: { query: { limit: ALERTS } } }));
    if (administrator) void told("/quarantine", () => api.GET("/quarantine", { params: { query: { limit: 1 } } }));
  };
  useEffect(read, [administrator]);
  useEvery(EVERY_MS, read);
};

const told = async (path: string, ask: () => Promise<{ data?: unknown; response: Response }>): Promise<void> => {
  try {
    const { data, response } = await ask();
    hearCount(response.url, data);
  } catch {
    forgetCount(path);
  }
};
