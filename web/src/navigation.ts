/** The pages of the console, in the groups of the sidebar. */

import type { IconName } from "./ui/icon";

export const GROUPS = ["Live", "Data", "Trust", "Operate"] as const;

export interface Entry {
  name: string;
  to: string;
  icon: IconName;
  /** In which group of the sidebar it stands; without one it is found by its name, or from other pages. */
  group?: (typeof GROUPS)[number];
  /** What the page shows, for whoever looks for it. */
  about: string;
  /** Further addresses that belong to it. */
  covers?: readonly string[];
  /** What goes there after a G. */
  key?: string;
  /** What is said of how many its list has, if that is known (api/counts.ts), and the look of that. */
  counted?: readonly [what: string, look: "bad" | "warn"];
  administrators?: true;
  /** Only where somebody can break things on purpose. */
  faults?: true;
}

export const HOME: Entry = {
  name: "Home",
  to: "/",
  icon: "home",
  about: "what arrives, what is exact, what needs you",
  key: "h",
};

export const ENTRIES: readonly Entry[] = [
  HOME,
  { name: "Devices", to: "/devices", icon: "devices", group: "Live", about: "readings by hour and by day", key: "d" },
  {
    name: "Places",
    to: "/places",
    icon: "places",
    group: "Live",
    about: "sums of all that lies at a place and below it",
    key: "l",
  },
  {
    name: "Rooms",
    to: "/rooms",
    icon: "rooms",
    group: "Live",
    about: "what people write",
    covers: ["/people"],
    key: "r",
  },
  {
    name: "Graph",
    to: "/graph",
    icon: "graph",
    group: "Live",
    about: "search, rankings, walks from node to node",
    key: "g",
  },
  {
    name: "Alerts",
    to: "/alerts",
    icon: "alerts",
    group: "Live",
    about: "conditions on numbers that hold now",
    key: "a",
    counted: ["hold", "bad"],
  },
  {
    name: "Orders",
    to: "/records/orders",
    icon: "orders",
    group: "Data",
    about: "open orders, and all of a customer",
    covers: ["/records/customers"],
    key: "o",
  },
  {
    name: "Documents",
    to: "/records/documents",
    icon: "documents",
    group: "Data",
    about: "every version, and what it changed",
  },
  {
    name: "Games",
    to: "/records/games",
    icon: "games",
    group: "Data",
    about: "leaderboards, ranks and awards",
    covers: ["/records/players", "/records/awards"],
  },
  { name: "Equipment", to: "/records/equipment", icon: "equipment", group: "Data", about: "audits of each part" },
  {
    name: "Billing",
    to: "/records/invoices",
    icon: "billing",
    group: "Data",
    about: "invoices and their bills",
    covers: ["/records/bills"],
  },
  {
    name: "The proof",
    to: "/proof",
    icon: "proof",
    group: "Trust",
    about: "break it while it counts",
    key: "x",
    administrators: true,
    faults: true,
  },
  {
    name: "Numbers",
    to: "/exactness",
    icon: "numbers",
    group: "Trust",
    about: "how a number came about, and whether it is right",
    key: "n",
  },
  {
    name: "Checks",
    to: "/checks",
    icon: "checks",
    group: "Trust",
    about: "the whole table counted anew",
    key: "c",
    administrators: true,
  },
  {
    name: "Quarantine",
    to: "/quarantine",
    icon: "quarantine",
    group: "Trust",
    about: "changes that could not be understood",
    key: "q",
    counted: ["set aside", "warn"],
    administrators: true,
  },
  {
    name: "Flow & freshness",
    to: "/overview",
    icon: "flow",
    group: "Operate",
    about: "what flows in, how fresh numbers are, what it costs",
    key: "f",
  },
  {
    name: "The table",
    to: "/table",
    icon: "table",
    group: "Operate",
    about: "items as they lie in the table, and what reads cost",
    key: "t",
    administrators: true,
  },
  {
    name: "Records",
    to: "/records",
    icon: "orders",
    about: "open an order, a game, an invoice or a document by its id",
  },
  { name: "Search", to: "/search", icon: "search", about: "everything that you may read, by its words" },
];

/** The entry to which an address belongs, by the longest of its addresses; home, if it belongs to none. */
export const sectionOf = (path: string): Entry => {
  const fits = (each: Entry) =>
    [each.to, ...(each.covers ?? [])].filter((to) => path === to || path.startsWith(`${to}/`)).map((to) => to.length);
  const best = ENTRIES.map((each) => [Math.max(0, ...fits(each)), each] as const);
  return best.reduce((one, other) => (other[0] > one[0] ? other : one), [0, HOME])[1];
};

/** The entries that somebody may use on a stage; `faults`: whether things can be broken on purpose there. */
export const entriesFor = (administrator: boolean, faults: boolean): readonly Entry[] =>
  ENTRIES.filter((each) => (administrator || !each.administrators) && (faults || !each.faults));
