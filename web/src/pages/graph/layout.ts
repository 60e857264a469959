/** Where the nodes of a picture stand: the same nodes and edges always stand the same way. */

export interface Point {
  x: number;
  y: number;
}
/** Two positions in the list of nodes. */
export type Line = readonly [number, number];

const ROUNDS = 250;
/** The angle of sunflower seeds: no two nodes begin in one direction. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Points in a square of side 1, the first node's among them: connected nodes attract, all nodes repel each other. */
export const settled = (nodes: number, lines: readonly Line[]): Point[] => {
  const points = Array.from({ length: nodes }, (_, each) => {
    const [angle, radius] = [each * GOLDEN, 0.5 * Math.sqrt(each / nodes)];
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  const wanted = 0.9 / Math.sqrt(nodes);
  for (let round = 0; round < ROUNDS; round++) {
    const step = 0.1 * (1 - round / ROUNDS);
    move(points, forces(points, lines, wanted), step);
  }
  return fitted(points);
};

const forces = (points: readonly Point[], lines: readonly Line[], wanted: number): Point[] => {
  const sums = points.map(({ x, y }) => ({ x: -0.5 * x, y: -0.5 * y }));
  const push = (one: number, other: number, strength: (distance: number) => number) => {
    const [from, to] = [points[one] as Point, points[other] as Point];
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const distance = Math.max(Math.hypot(dx, dy), 1e-4);
    const force = strength(distance) / distance;
    add(sums[one] as Point, -dx * force, -dy * force);
    add(sums[other] as Point, dx * force, dy * force);
  };
  for (let one = 0; one < points.length; one++) {
    for (let other = one + 1; other < points.length; other++) push(one, other, (far) => wanted ** 2 / far);
  }
  for (const [one, other] of lines) push(one, other, (far) => -(far ** 2) / wanted);
  return sums;
};

const add = (to: Point, x: number, y: number): void => {
  to.x += x;
  to.y += y;
};

const move = (points: readonly Point[], by: readonly Point[], most: number): void => {
  for (const [each, point] of points.entries()) {
    const { x, y } = by[each] as Point;
    const far = Math.max(Math.hypot(x, y), 1e-9);
    add(point, (x / far) * Math.min(far, most), (y / far) * Math.min(far, most));
  }
};

/** Stretched until they fill the square; a single point stands in the middle. */
const fitted = (points: readonly Point[]): Point[] => {
  const scale = (values: readonly number[]) => {
    const [least, greatest] = [Math.min(...values), Math.max(...values)];
    return (value: number) => (greatest - least < 1e-6 ? 0.5 : (value - least) / (greatest - least));
  };
  const [across, down] = [scale(points.map((each) => each.x)), scale(points.map((each) => each.y))];
  return points.map(({ x, y }) => ({ x: across(x), y: down(y) }));
};
