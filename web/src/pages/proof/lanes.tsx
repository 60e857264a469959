/** What was done to the consumer, in lanes below the drift: each has a name, a shape and a colour. */

import type { Kind } from "./answers";
import { faultOf } from "./faults";
import { type Run, SHOWN_MS } from "./run";

export type Lanes = readonly (readonly [lane: string, name: string])[];

/** How much room their names take, what is kept free on the other side, and how high each is. */
export const LEFT = 84;
export const RIGHT = 14;
export const LANE = 19;

const LANES: Lanes = [
  ["again", "came again"],
  ["killed", "killed"],
  ["slowed", "slowed"],
  ["poisoned", "poisoned"],
  ["redriven", "redriven"],
  ["shards", "state, split"],
];

/** Those of faults that can be done here. Records come again after any of them, and a poisoned one is redriven. */
export const lanesFor = (kinds: readonly Kind[]): Lanes => {
  const found = new Set<string>(["again", ...kinds.map((kind) => faultOf(kind).lane)]);
  if (found.has("poisoned")) found.add("redriven");
  return LANES.filter(([lane]) => found.has(lane));
};

interface Props {
  of: Run;
  x: (at: number) => number;
  lane: string;
}

export const Lane = ({ of, x, lane, name, y, width }: Props & { name: string; y: number; width: number }) => (
  <g class={`lane ${lane}`} transform={`translate(0 ${y})`}>
    <text x={LEFT - 8} y="4" class="to-right">
      {name}
    </text>
    <line x1={LEFT} x2={width - RIGHT} />
    <Marks of={of} x={x} lane={lane} />
  </g>
);

const SHAPES: Readonly<Record<string, string>> = {
  again: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  killed: "M-4-4l8 8M4-4l-8 8",
  poisoned: "M0-6l6 6-6 6-6-6z",
  redriven: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
  shards: "M0-5l5 9h-10z",
};

const Marks = ({ of, x, lane }: Props) => (
  <>
    {lane === "slowed" &&
      of.slowed.map(({ from, until }) => (
        <rect key={from} x={x(from)} y="-5" width={Math.max(x(until) - x(from), 4)} height="10" rx="5" />
      ))}
    {timesIn(of, lane)
      .filter((at) => at > of.at - SHOWN_MS)
      .map((at, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be at once
        <path key={place} d={SHAPES[lane] ?? ""} transform={`translate(${x(at)} 0)`} />
      ))}
  </>
);

/** When something of a lane happened. */
const timesIn = ({ again, clicked, done }: Run, lane: string): readonly number[] => {
  if (lane === "again") return again;
  if (lane === "slowed") return [];
  if (lane === "redriven") return clicked.flatMap(({ act, at }) => (act === "redrive" ? [at] : []));
  return done.flatMap(({ kind, at }) => (faultOf(kind).lane === lane ? [Date.parse(at)] : []));
};
