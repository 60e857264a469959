import { expect, test } from "vitest";
import { follows, last, latest, mainMetric, type Reading, type ReadingsOut } from "./readings";

const reading = (second: number, metrics: Record<string, number>, attributes = {}): Reading => ({
  event_id: "e",
  at: `2026-11-24T12:00:0${second}.000Z`,
  place: null,
  metrics,
  attributes,
});
const page = (...seconds: number[]): ReadingsOut => ({ events: seconds.map((each) => reading(each, {})), cursor: "c" });

test("each metric has its newest value, and when that was", () => {
  const readings = [reading(3, { temp: 21 }), reading(2, { wind: 7, temp: 20 }), reading(1, { wind: 6 })];
  expect(latest(readings, "metrics")).toEqual([
    { name: "temp", value: 21, at: "2026-11-24T12:00:03.000Z" },
    { name: "wind", value: 7, at: "2026-11-24T12:00:02.000Z" },
  ]);
});

test("so has each attribute", () => {
  const readings = [reading(2, {}, { on: false }), reading(1, {}, { on: true, firmware: "1.2" })];
  expect(latest(readings, "attributes").map(({ name, value }) => [name, value])).toEqual([
    ["firmware", "1.2"],
    ["on", false],
  ]);
});

test("the metric that was measured most often comes first, not that of the first letter", () => {
  expect(mainMetric([reading(3, { dewp: 1, temp: 2 }), reading(2, { temp: 2 }), reading(1, { wind: 2 })])).toBe("temp");
});

test("of those measured equally often, the one that varies most", () => {
  const readings = [1, 2, 3].map((second) => reading(second, { battery: 100, temp: second }));
  expect(mainMetric(readings)).toBe("temp");
});

test("zero is measured too, and readings without metrics have none", () => {
  expect(mainMetric([reading(2, { precip: 0 }), reading(1, { precip: 0, atemp: 5 })])).toBe("precip");
  expect(mainMetric([reading(1, {})])).toBeUndefined();
});

test("what a newer page does not show any more follows it", () => {
  const newer = page(6, 5, 4);
  expect(last(newer)).toBe("2026-11-24T12:00:04.000Z e");
  expect(follows(page(5, 4, 3), newer)).toEqual(page(3));
  // A late reading has moved the end to where no reading was.
  expect(follows(page(5, 3, 2), newer)).toEqual(page(3, 2));
});

test("nothing follows a page so new that others may lie between", () => {
  expect(follows(page(3, 2, 1), page(6, 5, 4))).toBeNull();
});
