/** What arrived last and the number it moved: found page by page, since numbers are listed by name, not by time. */

import type { components } from "../../api/schema";
import { customerAt, deviceAt, equipmentAt, gameAt, placeAt, playerAt, roomAt } from "../../links";
import type { IconName } from "../../ui/icon";
import { shortly } from "../../ui/shortly";

type Recent = components["schemas"]["RecentOut"];
export type Moved = components["schemas"]["MovedOut"];

/** Of the numbers that were looked at in this walk and in those before it: the newest of each. */
export interface Seen {
  moved: readonly Moved[];
  /** How many this walk has looked at, and how many the last one that has ended. */
  now: number;
  last: number | null;
  cursor: string | null;
}

export const UNSEEN: Seen = { moved: [], now: 0, last: null, cursor: null };
const KEPT = 20;

export const nameOf = ({ kind, dimensions }: Pick<Moved, "kind" | "dimensions">): string =>
  JSON.stringify([kind, dimensions]);

/** With one more page of a walk, which begins anew behind its end. */
export const seenWith = (seen: Seen, { moved, looked, cursor }: Recent): Seen => {
  const known = new Map([...seen.moved, ...moved].map((each) => [nameOf(each), each]));
  const now = seen.now + looked;
  return {
    moved: [...known.values()].sort((one, other) => other.at.localeCompare(one.at)).slice(0, KEPT),
    now: cursor === null ? 0 : now,
    last: cursor === null ? now : seen.last,
    cursor,
  };
};

interface Shown {
  icon: IconName;
  to: (...path: string[]) => string;
  /** What is counted, and what happened. */
  counts: string;
  did: string;
}

const KINDS: Readonly<Record<string, Shown>> = {
  DEVICE: { icon: "devices", to: (id = "") => deviceAt(id), counts: "readings", did: "reported" },
  ROOM: { icon: "rooms", to: (id = "") => roomAt(id), counts: "messages", did: "has a message" },
  PLACE: { icon: "places", to: (...path) => placeAt(path), counts: "readings", did: "got a reading" },
  CUSTOMER: { icon: "orders", to: (id = "") => customerAt(id), counts: "orders", did: "has an order" },
  PLAYER: { icon: "games", to: (id = "") => playerAt(id), counts: "plays", did: "has played" },
  GAME: { icon: "games", to: (id = "") => gameAt(id), counts: "plays", did: "was played" },
  EQUIPMENT: { icon: "equipment", to: (id = "") => equipmentAt(id), counts: "audits", did: "was audited" },
};

/** What a row shows of a number: its name, where that leads, what moved it. */
export const shownOf = ({ kind, dimensions, cell }: Pick<Moved, "kind" | "dimensions" | "cell">) => {
  const path = dimensions.flat();
  const { icon, to, counts, did } = KINDS[kind] ?? {
    icon: "numbers" as const,
    to: () => "/exactness",
    counts: cell,
    did: "moved",
  };
  return { icon, to: to(...path), name: path.map(shortly).join(" / "), counts, did };
};
