import { expect, test } from "vitest";
import { type Line, type Point, settled } from "./layout";

const far = (one: Point | undefined, other: Point | undefined): number =>
  one && other ? Math.hypot(one.x - other.x, one.y - other.y) : Number.NaN;

const RING = Array.from({ length: 12 }, (_, each): Line => [each, (each + 1) % 12]);

test("nodes fill the square, none outside it", () => {
  const points = settled(12, RING);
  for (const axis of ["x", "y"] as const) {
    const values = points.map((each) => each[axis]);
    expect([Math.min(...values), Math.max(...values)]).toEqual([0, 1]);
  }
});

test("no two nodes lie on each other", () => {
  const points = settled(
    40,
    Array.from({ length: 39 }, (_, each): Line => [0, each + 1]),
  );
  const gaps = points.flatMap((one, each) => points.slice(each + 1).map((other) => far(one, other)));
  // Forty circles as far apart as they can be would be about 0.17 apart.
  expect(Math.min(...gaps)).toBeGreaterThan(0.04);
});

test("neighbours stand nearer to each other than strangers", () => {
  // Two triangles with one bridge.
  const points = settled(6, [[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [2, 3]]); // biome-ignore format: a list of pairs
  expect(far(points[0], points[1])).toBeLessThan(far(points[0], points[4]));
  expect(far(points[4], points[5])).toBeLessThan(far(points[1], points[5]));
});

test("the same graph is drawn the same way", () => {
  expect(settled(12, RING)).toEqual(settled(12, RING));
});

test("a node alone stands in the middle", () => {
  expect(settled(1, [])).toEqual([{ x: 0.5, y: 0.5 }]);
});
