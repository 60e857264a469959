/** What the newest readings of a device say of it. */

import type { components } from "../api/schema";

export type Reading = components["schemas"]["EventOut"];
export type ReadingsOut = components["schemas"]["EventsOut"];
type Part = "metrics" | "attributes";
type Value = Reading[Part][string];

/** The newest value of a metric or of an attribute, and when it was. */
export interface Latest {
  name: string;
  value: Value;
  at: string;
}

/** The newest value of each, by name; readings come newest first. */
export const latest = (readings: readonly Reading[], part: Part): Latest[] => {
  const found = new Map<string, Latest>();
  for (const { at, [part]: values } of readings)
    for (const [name, value] of Object.entries(values)) if (!found.has(name)) found.set(name, { name, value, at });
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** The metric to show first: that of the most readings; of several, the one that varies most. */
export const mainMetric = (readings: readonly Reading[]): string | undefined => {
  const measured = latest(readings, "metrics").map(({ name }) => {
    const values = readings.flatMap(({ metrics }) => metrics[name] ?? []);
    return { name, count: values.length, different: new Set(values).size };
  });
  return measured.sort((one, other) => other.count - one.count || other.different - one.different)[0]?.name;
};

/** What names the last reading of a page. */
export const last = ({ events }: ReadingsOut): string => {
  const end = events.at(-1);
  return end ? place(end) : "";
};

/** The readings of a page that come after a newer page; null if others may lie between the two. */
export const follows = (old: ReadingsOut, first: ReadingsOut): ReadingsOut | null => {
  const [newest] = old.events;
  const end = last(first);
  return newest && place(newest) >= end ? { ...old, events: old.events.filter((each) => place(each) < end) } : null;
};

/** Where a reading stands in time: instants have the same length. */
const place = ({ at, event_id }: Reading): string => `${at} ${event_id}`;
