/** How many alerts hold, and how many records are in quarantine: as the answer says that told it last. */

import { signal } from "@preact/signals";

/** As a sidebar shows it, by the address of the page that lists them; where there is none, or none is known, nothing. */
export const counts = signal<Readonly<Record<string, string>>>({});

const ALERTS = "/alerts";
const QUARANTINE = "/quarantine";
/** More are not told apart, so that answers of any length say the same. */
const MOST = 9;

/** Take what an answer to an address says, whoever asked. */
export const hearCount = (address: string, body: unknown): void => {
  const { pathname, searchParams } = new URL(address, "http://api");
  const path = pathname.replace(/^\/api(?=\/)/, "");
  // A later page of a list does not say how many there are.
  if (typeof body !== "object" || body === null || searchParams.has("cursor")) return;
  const { alerts, count, cursor } = body as { alerts?: unknown[]; count?: number; cursor?: string | null };
  if (path === ALERTS && alerts) tell(ALERTS, alerts.length, Boolean(cursor));
  if (path.startsWith(QUARANTINE) && count !== undefined) tell(QUARANTINE, count, false);
};

/** Nothing is said of what could not be read. */
export const forgetCount = (path: string): void => {
  const { [path]: _, ...others } = counts.peek();
  counts.value = others;
};

const tell = (path: string, count: number, more: boolean): void => {
  if (!count) forgetCount(path);
  else counts.value = { ...counts.peek(), [path]: count > MOST || more ? `${MOST}+` : `${count}` };
};
