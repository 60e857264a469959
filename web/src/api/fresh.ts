/** How fresh what a page shows is: what its answers say of their numbers, from the first to the last of them. */

import { signal } from "@preact/signals";

/** What an answer with aggregates says of them. */
export interface Told {
  as_of?: string | null;
  behind?: true | null;
  incomplete?: true | null;
}

/** An answer, and when it came, in milliseconds since 1970. */
interface Heard {
  told: Told;
  at: number;
}

interface Page {
  path: string;
  /** The newest answer of each address. */
  answers: ReadonlyMap<string, Heard>;
  /** Whether something that the page is about does not exist. */
  missing: boolean;
}

const begun = (path: string): Page => ({ path, answers: new Map(), missing: false });

/** What the page that is shown has heard. */
export const heard = signal<Page>(begun(""));

/** The page for which a request is sent now: its answer may come when another one is shown. */
export const asking = (): string => globalThis.location?.pathname ?? "";

/** A page is shown, and knows nothing yet. */
export const begin = (path: string): void => {
  if (heard.peek().path !== path) heard.value = begun(path);
};

const change = (path: string, to: (page: Page) => Partial<Page>): void => {
  if (asking() !== path) return;
  begin(path);
  const page = heard.peek();
  heard.value = { ...page, ...to(page) };
};

/** Take what an answer to an address says, for the page that asked. */
export const hear = (path: string, address: string, body: unknown, at: number): void => {
  if (typeof body !== "object" || body === null) return;
  const { as_of, behind, incomplete } = body as Told;
  change(path, ({ answers }) => ({
    // The overview has a number of this name, which is about the table and not about the answer.
    answers: new Map(answers).set(withoutCursor(address), {
      told: { as_of: as_of ?? null, behind: behind === true || null, incomplete: incomplete === true || null },
      at,
    }),
  }));
};

/** What a page is about does not exist. */
export const hearMissing = (path: string): void => change(path, () => ({ missing: true }));

/** Pages of a list say the same of one list; the origin and the way to the API are no part of an address. */
const withoutCursor = (address: string): string => {
  const url = new URL(address, "http://api");
  url.searchParams.delete("cursor");
  return `${url.pathname.replace(/^\/api(?=\/)/, "")}${url.search}`;
};

/**
 * What the badge says. `asOf`: until when all numbers of the page hold every change; null if none has any. `read`: when
 * the oldest of its answers came.
 */
export interface Freshness {
  word: "lacks" | "behind" | "live" | "read";
  asOf: number | null;
  read: number;
}

/** The least that holds for all answers of a page; null while there is none. `live`: whether changes are pushed. */
export const freshnessOf = ({ answers, missing }: Page, live: boolean): Freshness | null => {
  const all = [...answers.values()];
  if (all.length === 0 || missing) return null;
  const instants = all.flatMap(({ told }) => (told.as_of ? [Date.parse(told.as_of)] : []));
  const said = (name: "incomplete" | "behind") => all.some(({ told }) => told[name]);
  return {
    word: said("incomplete") ? "lacks" : said("behind") ? "behind" : live ? "live" : "read",
    asOf: instants.length ? Math.min(...instants) : null,
    read: Math.min(...all.map(({ at }) => at)),
  };
};
