/** The pages that the header leads to: a row where there is room, a menu where there is not. */

import { useEffect, useRef, useState } from "preact/hooks";
import "./navigation.css";

/** What a page is about, for the header and for the home page. */
export interface Entry {
  name: string;
  to: string;
  about: string;
  administrators?: true;
}

export const ENTRIES: readonly Entry[] = [
  {
    name: "Overview",
    to: "/overview",
    about: "What flows in, how fresh numbers are, what is wrong, and what all of it costs.",
  },
  {
    name: "Devices",
    to: "/devices",
    about: "What a device has sent, as hours and days that are counted while readings arrive.",
  },
  {
    name: "Places",
    to: "/places",
    about: "Countries, cities and gates, each with the sums of everything at it and below it.",
  },
  { name: "Rooms", to: "/rooms", about: "What people write, in order across all shards of a room." },
  {
    name: "Graph",
    to: "/graph",
    about: "Who is connected with whom: search, rankings, and walks from one node to the next.",
  },
  { name: "Alerts", to: "/alerts", about: "Conditions on numbers that hold now, such as a business that is degraded." },
  {
    name: "Records",
    to: "/records",
    about: "Orders, games, audits, documents and invoices, with their history and what changed.",
  },
  {
    name: "Exactness",
    to: "/exactness",
    about: "One number opened up: how it came about, how far it has come, and whether it is right.",
  },
  {
    name: "Table",
    to: "/table",
    about: "Item collections and indexes as they lie in the table, and what each read costs.",
    administrators: true,
  },
  {
    name: "Quarantine",
    to: "/quarantine",
    about: "Changes that could not be understood, and their second chance.",
    administrators: true,
  },
  {
    name: "Checks",
    to: "/checks",
    about: "Every aggregate counted anew from an export of the table, and what differed.",
    administrators: true,
  },
];

/** The entry to which an address belongs; home, if it belongs to none. */
export const sectionOf = (path: string): Pick<Entry, "name" | "to"> =>
  ENTRIES.find(({ to }) => isIn(to, path)) ?? { name: "Home", to: "/" };

const isIn = (to: string, path: string): boolean => path === to || path.startsWith(`${to}/`);

/** The entries that somebody may use. */
export const entriesFor = (administrator: boolean): readonly Entry[] =>
  ENTRIES.filter((each) => administrator || !each.administrators);

export const Navigation = ({ path, administrator }: { path: string; administrator: boolean }) => {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [path]);
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !open) return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the menu from wherever in it the focus is
    <div class="pages" onKeyDown={close}>
      <button ref={button} type="button" aria-expanded={open} aria-controls="pages" onClick={() => setOpen(!open)}>
        Menu
      </button>
      <nav id="pages" aria-label="Pages" class={open ? "open-menu" : ""}>
        {entriesFor(administrator).map(({ name, to }) => (
          <a key={to} href={to} aria-current={isIn(to, path) ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
    </div>
  );
};
