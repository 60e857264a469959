import { expect, test } from "vitest";
import type { Step } from "./run";
import { linesFor, pathOf, ticksFor } from "./scales";

test.each([
  [[], [0, 1, 2, 3, 4]],
  [
    [0, 3],
    [0, 1, 2, 3, 4],
  ],
  [[5], [0, 2, 4, 6]],
  [[87], [0, 25, 50, 75, 100]],
  [[101], [0, 50, 100, 150]],
  [
    [-3, 2],
    [-3, -2, -1, 0, 1, 2, 3, 4],
  ],
  [[-90], [-100, -75, -50, -25, 0, 25]],
])("an axis for %s has lines at %s", (values, lines) => {
  expect(linesFor(values)).toEqual(lines);
});

test.each([
  [0, 60_000, 5, [0, 15, 30, 45, 60]],
  [0, 134_000, 5, [0, 30, 60, 90, 120]],
  [0, 134_000, 3, [0, 60, 120]],
  [61_000, 661_000, 5, [120, 240, 360, 480, 600]],
  [0, 600_000, 1, [0, 300, 600]],
])("from %i to %i at most %i intervals are named: %s", (from, until, most, seconds) => {
  expect(ticksFor(from, until, most).map((each) => each / 1000)).toEqual(seconds);
});

test("a line is broken where nothing is known, and goes up where one step follows another", () => {
  const step = (from: number, until: number, drift: number | null): Step => ({
    from,
    until,
    drift,
    verdict: "equal",
    difference: 0,
    lacks: 0,
  });
  const steps = [step(0, 2, 0), step(2, 5, 31), step(5, 6, null), step(6, 8, 31), step(20, 21, 40)];
  const same = (value: number) => value;
  expect(pathOf(steps, same, (value) => 100 - value)).toBe("M0 100H2V69H5M6 69H8M20 60H21");
});
