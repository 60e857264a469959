/** Where the nodes of a picture stand: the same nodes and edges always stand the same way. */

export interface Point {
  x: number;
  y: number;
}
/** Two positions in the list of nodes. */
export type Line = readonly [number, number];

const ROUNDS = 120;
/** The angle of sunflower seeds: no two nodes begin in one direction. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Points in a square of side 1: nodes stand as far apart as there are edges between them, as well as that can be. */
export const settled = (nodes: number, lines: readonly Line[]): Point[] => {
  const steps = stepsBetween(nodes, lines);
  let points = Array.from({ length: nodes }, (_, each) => {
    const [angle, radius] = [each * GOLDEN, Math.sqrt(each)];
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  for (let round = 0; round < ROUNDS; round++) points = points.map((_, each) => pulled(each, points, steps));
  return fitted(points);
};

/** How many edges lie between each two nodes; one more than there are nodes if no edges connect them. */
const stepsBetween = (nodes: number, lines: readonly Line[]): number[][] => {
  const neighbours = Array.from({ length: nodes }, () => new Set<number>());
  for (const [one, other] of lines) {
    neighbours[one]?.add(other);
    neighbours[other]?.add(one);
  }
  return neighbours.map((_, start) => {
    const steps = new Array<number>(nodes).fill(nodes + 1);
    steps[start] = 0;
    const reached = [start]; // grows while it is walked
    for (const node of reached) {
      for (const next of neighbours[node] ?? []) {
        if ((steps[next] as number) <= nodes) continue;
        steps[next] = (steps[node] as number) + 1;
        reached.push(next);
      }
    }
    return steps;
  });
};

/** Where a node would like to stand: each other node pulls or pushes it to its distance, near ones most of all. */
const pulled = (node: number, points: readonly Point[], steps: readonly number[][]): Point => {
  const here = points[node] as Point;
  const sum = { x: 0, y: 0, weight: 0 };
  for (const [other, there] of points.entries()) {
    if (other === node) continue;
    const wanted = steps[node]?.[other] as number;
    const [dx, dy] = [here.x - there.x, here.y - there.y];
    const stretch = wanted / Math.max(Math.hypot(dx, dy), 1e-6);
    const weight = wanted ** -2;
    sum.x += weight * (there.x + dx * stretch);
    sum.y += weight * (there.y + dy * stretch);
    sum.weight += weight;
  }
  return sum.weight ? { x: sum.x / sum.weight, y: sum.y / sum.weight } : here;
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
