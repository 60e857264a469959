/** Where things are in the drift chart. */

import type { Step } from "./run";

/** Lines of an axis: whole numbers, few of them, from no more than the least to no less than the most of what is drawn. */
export const linesFor = (values: readonly number[]): readonly number[] => {
  const [least, most] = [Math.min(0, ...values), Math.max(4, ...values)];
  const step = stepFor(Math.max(most, -least) / 4);
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)];
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
};

/** The least round whole number that is no less than one. */
const stepFor = (least: number): number => {
  const unit = 10 ** Math.floor(Math.log10(least));
  const steps = [1, 2, 2.5, 5, 10].map((each) => each * unit);
  return steps.find((each) => Number.isInteger(each) && each >= least) ?? 1;
};

const TICKS_S = [15, 30, 60, 120, 300];

/** Times within a span that are named at its axis, at most so many; all in milliseconds since a run began. */
export const ticksFor = (from: number, until: number, most: number): readonly number[] => {
  const step = 1000 * (TICKS_S.find((each) => (until - from) / (each * 1000) <= most) ?? 300);
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(until / step) - first + 1 }, (_, place) => (first + place) * step);
};

type Scale = (value: number) => number;

/** A line that goes up and down in steps, and is broken where nothing is known. */
export const pathOf = (steps: readonly Step[], x: Scale, y: Scale): string => {
  let path = "";
  let end: number | null = null;
  for (const { from, until, drift } of steps) {
    if (drift === null) continue;
    path += end === from ? `V${y(drift)}` : `M${x(from)} ${y(drift)}`;
    path += `H${x(until)}`;
    end = until;
  }
  return path;
};
