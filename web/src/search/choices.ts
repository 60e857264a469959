/** What the palette offers: pages and commands, which are known at once, and what search has found. */

import type { Entry } from "../navigation";
import type { IconName } from "../ui/icon";
import { type Found, nameOf, numberOf, pageOf } from "./found";

/** One line of the palette: where it leads, or what it does. */
export interface Choice {
  key: string;
  icon: IconName;
  name: string;
  about: string;
  to?: string;
  act?: () => void;
  /** What search has found, to be shown with what was asked for marked in it. */
  found?: Found;
}

export type Groups = readonly (readonly [string, readonly Choice[]])[];

/** Without a word all pages are shown; with one those that have it, those that begin with it first. */
export const chosenBy = <T extends { name: string; about: string }>(all: readonly T[], asked: string): readonly T[] => {
  const word = asked.trim().toLowerCase();
  const place = ({ name, about }: T) => {
    const at = name.toLowerCase().indexOf(word);
    return at >= 0 ? at : about.toLowerCase().includes(word) ? 100 : -1;
  };
  return all.filter((each) => place(each) >= 0).sort((one, other) => place(one) - place(other));
};

export const pagesIn = (entries: readonly Entry[]): readonly Choice[] =>
  entries.map(({ name, to, icon, about }) => ({ key: to, to, icon, name, about }));

const ICONS: Readonly<Record<string, IconName>> = {
  device: "devices",
  document: "documents",
  message: "rooms",
  node: "graph",
  order: "orders",
  place: "places",
};

const thing = (found: Found): Choice => {
  const to = pageOf(found);
  return {
    key: `${found.kind} ${found.id.join(" ")}`,
    icon: ICONS[found.kind] ?? "search",
    name: nameOf(found),
    // A message is known by what it says: who wrote it where stands beside that.
    about: found.kind === "message" ? `${nameOf(found)} message` : found.kind,
    ...(to === null ? {} : { to }),
    found,
  };
};

/** The number of each thing that has one, once. */
const numbers = (found: readonly Found[]): readonly Choice[] => {
  const all = found.flatMap((each) => numberOf(each) ?? []);
  const known = new Map(all.map((each) => [each.to, each]));
  return [...known.values()].map(({ name, to }) => ({ key: to, to, icon: "numbers", name, about: "why is it so?" }));
};

/** All that the palette shows for what was asked, in groups; an empty group is left out. */
export const groupsFor = (
  asked: string,
  entries: readonly Entry[],
  commands: readonly Choice[],
  found: readonly Found[],
): Groups => {
  const messages = found.filter((each) => each.kind === "message");
  const things = found.filter((each) => each.kind !== "message");
  const all: Groups = [
    ["Go to", [...chosenBy(pagesIn(entries), asked), ...things.map(thing)]],
    ["Messages", messages.map(thing)],
    ["Numbers", numbers(found)],
    ["Do", chosenBy(commands, asked)],
  ];
  return all.filter(([, choices]) => choices.length > 0);
};
