/** The addresses of the console's pages, each said once. */

import { segment, spelled, unspelled } from "./api/spelling";

/** What has a type and an id in the graph. */
export interface Node {
  type: string;
  id: string;
}

/** The page of an id below an address. */
export const under = (start: string) => (id: string) => `${start}/${segment(id)}`;

export const deviceAt = under("/devices");
export const roomAt = under("/rooms");
export const personAt = under("/people");
export const placeAt = (path: readonly string[]): string => ["/places", ...path.map(segment)].join("/");
export const nodeAt = ({ type, id }: Node): string => `/graph/${segment(type)}/${segment(id)}`;
export const customerAt = under("/records/customers");
export const playerAt = under("/records/players");
export const gameAt = under("/records/games");
export const awardAt = under("/records/awards");
export const equipmentAt = under("/records/equipment");
export const documentAt = under("/records/documents");
export const invoiceAt = under("/records/invoices");
export const billAt = under("/records/bills");

/** The page of a number that has one part, which is called as its kind is: a path is written as paths are. */
export const numberAt = (kind: string, [part]: readonly (string | string[])[]): string => {
  const text = typeof part === "string" ? part : (part ?? []).map(spelled).join("/");
  return `/exactness/${segment(kind)}?${new URLSearchParams({ [kind.toLowerCase()]: text })}`;
};

/** The place of the rest of an address, from the widest to the narrowest. */
export const placeIn = (rest: string): string[] => rest.split("/").filter(Boolean).map(unspelled);
