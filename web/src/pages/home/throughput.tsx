/** How many changes came and how many aggregates were written for them, minute by minute of the last hour. */

import type { components } from "../../api/schema";

type Overview = components["schemas"]["OverviewOut"];

const WIDTH = 720;
const HEIGHT = 200;
const LINES = 4;
const QUARTER = 15;
const MINUTE_MS = 60_000;
const TIMES = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

/** The least round number that is no less than one above zero: what the axis ends with. */
export const roundUp = (most: number): number => {
  const unit = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 4, 5, 8, 10].find((each) => each * unit >= most) ?? 10) * unit;
};

export const Throughput = ({ of }: { of: Overview | undefined }) => {
  const minutes = (name: string) =>
    (of?.measured && of.flows.find((flow) => flow.name === name)?.minutes.slice(0, -1)) || [];
  const [changes, written] = [minutes("delivered"), minutes("written")];
  const most = roundUp(Math.max(...changes, ...written, LINES));
  return (
    <section class="card throughput">
      <h2>
        Throughput <small class="series1">changes a minute</small> <small class="series2">aggregates written</small>
      </h2>
      <svg
        viewBox={`-44 -8 ${WIDTH + 52} ${HEIGHT + 34}`}
        role="img"
        aria-label={of?.measured ? "Changes and aggregates written in each minute of the last hour" : "Not measured"}
      >
        {Array.from({ length: LINES + 1 }, (_, line) => (line * most) / LINES).map((value) => (
          <g key={value}>
            <line x2={WIDTH} y1={HEIGHT - (value / most) * HEIGHT} y2={HEIGHT - (value / most) * HEIGHT} />
            <text x="-10" y={HEIGHT - (value / most) * HEIGHT + 4} class="end">
              {value}
            </text>
          </g>
        ))}
        <Area of={changes} most={most} look="series1" />
        <Area of={written} most={most} look="series2" />
        {of && <Times at={Date.parse(of.at)} />}
      </svg>
    </section>
  );
};

const Area = ({ of, most, look }: { of: readonly number[]; most: number; look: string }) => {
  if (of.length < 2) return null;
  const points = of.map((each, minute) => `${(minute * WIDTH) / (of.length - 1)} ${HEIGHT - (each / most) * HEIGHT}`);
  return (
    <g class={look}>
      <path class="area" d={`M0 ${HEIGHT}L${points.join("L")}L${WIDTH} ${HEIGHT}Z`} />
      <path d={`M${points.join("L")}`} />
    </g>
  );
};

const Times = ({ at }: { at: number }) => (
  <>
    {[3, 2, 1].map((quarters) => (
      <text key={quarters} x={WIDTH - (quarters * WIDTH) / 4} y={HEIGHT + 20} class="middle">
        {TIMES.format(at - quarters * QUARTER * MINUTE_MS)}
      </text>
    ))}
  </>
);
