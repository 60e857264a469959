/** The names of aggregates in the console's addresses: a parameter for each part of what one is about. */

import type { components } from "../../api/schema";
import { segment, spelled, unspelled } from "../../api/spelling";

export type KindOut = components["schemas"]["KindOut"];
/** What an aggregate is about, as the API has it: texts, instants and paths. */
export type Dimensions = readonly (string | string[])[];

/** What an address asks for; null if a part is missing. */
export const dimensionsIn = (kind: KindOut, parameters: URLSearchParams): Dimensions | null => {
  const found = kind.parts.map(({ name, form }) => {
    const text = parameters.get(name);
    return text && form === "path" ? text.split("/").map(unspelled) : text;
  });
  return found.every((each) => each?.length) ? (found as Dimensions) : null;
};

/** What is missing in an address that names no aggregate. */
export const unnamed = ({ kind, parts }: KindOut): string =>
  `The address names no ${kind}. It needs ?${parts.map(({ name }) => `${name}=…`).join("&")}`;

/** A part as a field shows it: paths with slashes. */
export const written = (dimension: string | string[]): string =>
  typeof dimension === "string" ? dimension : dimension.map(spelled).join("/");

/** The address of an aggregate's page. */
export const aggregateAt = (kind: KindOut, dimensions: Dimensions): string => {
  const named = kind.parts.map(({ name }, position) => [name, written(dimensions[position] ?? "")]);
  return `/exactness/${segment(kind.kind)}?${new URLSearchParams(named)}`;
};

/** What operators are to type for it (docs/operations.md). */
export const commandFor = (command: string, kind: string, dimensions: Dimensions): string => {
  const parts = dimensions.map((each) => (typeof each === "string" ? each : each.map(encodeURIComponent).join("/")));
  return `make redrive DO="${[command, kind, ...parts].join(" ")}"`;
};
