/** What search has found: where it is shown, and which parts of its texts were asked for. */

import type { components } from "../api/schema";
import { customerAt, deviceAt, documentAt, nodeAt, numberAt, placeAt, roomAt } from "../links";

export type Answer = components["schemas"]["SearchOut"];
export type Found = Answer["found"][number];
type Excerpt = Found["excerpt"];

/** The page that shows a thing, by the parts of its name; a kind without one is found all the same. */
const PAGES: Readonly<Partial<Record<Found["kind"], (...id: string[]) => string>>> = {
  device: (device = "") => deviceAt(device),
  document: (document = "") => documentAt(document),
  message: (room = "") => roomAt(room),
  node: (type = "", id = "") => nodeAt({ type, id }),
  order: (customer = "") => customerAt(customer),
  place: (...path) => placeAt(path),
};

export const pageOf = ({ kind, id }: Pick<Found, "kind" | "id">): string | null => PAGES[kind]?.(...id) ?? null;

/** The kind of aggregates that counts a thing, and the thing's name: of a message, those of its room. */
const NUMBERS: Readonly<
  Partial<Record<Found["kind"], (id: readonly string[]) => readonly [string, string | string[]]>>
> = {
  device: ([device = ""]) => ["DEVICE", device],
  message: ([room = ""]) => ["ROOM", room],
  order: ([customer = ""]) => ["CUSTOMER", customer],
  place: (path) => ["PLACE", [...path]],
};

/** What is counted of a thing, and the page that says why it is what it is. */
export const numberOf = ({ kind, id }: Found): { name: string; to: string } | null => {
  const number = NUMBERS[kind]?.(id);
  if (!number) return null;
  const [counted, name] = number;
  return { name: `The numbers of ${[name].flat().join(" / ")}`, to: numberAt(counted, [name]) };
};

/** A name of it: its title, or for a message, who wrote it where. */
export const nameOf = ({ title, attributes, id }: Found): string =>
  title.text || [attributes.user, attributes.room].filter(Boolean).join(" in ") || id.join(" ");

/** A text in pieces, and whether each was asked for. Marks count characters, of which some take two of a string's units. */
export const pieces = ({ text, marks }: Excerpt): readonly (readonly [string, boolean])[] => {
  const characters = [...text];
  const found: [string, boolean][] = [];
  let at = 0;
  for (const { start, end } of marks) {
    found.push([characters.slice(at, start).join(""), false], [characters.slice(start, end).join(""), true]);
    at = end;
  }
  found.push([characters.slice(at).join(""), false]);
  return found.filter(([piece]) => piece);
};
