import { expect, test } from "vitest";
import { age, aMonth, heights, lastMinute, usd } from "./figured";

test("ages in the unit in which they are read", () => {
  expect([null, 0, 999.4, 1000, 119_000, 120_000, 7_200_000].map(age)).toEqual([
    "not measured",
    "0 ms",
    "999 ms",
    "1.0 s",
    "119.0 s",
    "2 min",
    "2.0 h",
  ]);
});

test("small sums keep two digits", () => {
  expect([0, 0.000125, 0.0456, 1, 12.5].map(usd)).toEqual(["$0", "$0.00013", "$0.046", "$1.00", "$12.50"]);
  expect(usd(0.00000013)).toBe("$0.00000013");
});

test("an hour of a hundredth of a cent is seven cents a month", () => {
  expect(aMonth(0.0001)).toBeCloseTo(0.073);
});

test("the minute that is not over is not the last one told", () => {
  expect(lastMinute([1, 7, 3])).toBe(7);
  expect(lastMinute([])).toBe(0);
});

test("the greatest minute is as high as there is room, and one is seen", () => {
  expect(heights([0, 1, 100], 20)).toEqual([0, 1, 20]);
  expect(heights([0, 0], 20)).toEqual([0, 0]);
});
