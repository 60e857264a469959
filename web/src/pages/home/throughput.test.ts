import { expect, test, vi } from "vitest";
import { roundUp } from "./throughput";

vi.mock("../../console", () => ({}));

test.each([
  [1, 1],
  [4, 4],
  [5, 5],
  [7, 8],
  [9, 10],
  [101, 200],
  [390, 400],
  [999, 1000],
])("an axis that must reach %s ends with %s", (most, end) => {
  expect(roundUp(most)).toBe(end);
});
