/** How far each number and its plain ADD are from a recount over time, above what was done meanwhile. */

import { useEffect, useRef, useState } from "preact/hooks";
import { figure } from "../../ui/figures";
import { shownOf } from "../home/arrivals";
import type { Kind } from "./answers";
import { LANE, Lane, type Lanes, LEFT, lanesFor, RIGHT } from "./lanes";
import { tooMany } from "./numbers";
import { clock, type Run, SHOWN_MS, type Step } from "./run";
import { linesFor, pathOf, ticksFor } from "./scales";
import "./drift.css";

/** Room for what is written above the uppermost line. */
const TOP = 22;
/** As much room as the longest of it takes: it never runs into the axis. */
const LABEL = 120;
const LEAST_MS = 60_000;
/** As much room as a time at the axis takes. */
const TICK = 90;

/** `kinds`: of faults that can be done here; a lane without any is left out. */
export const Drift = ({ of: now, kinds }: { of: Run | null; kinds: readonly Kind[] }) => {
  const [place, width] = useWidth();
  const leader = now && leaderOf(now);
  return (
    <section class="card drift">
      <h2>
        Difference from a recount <small>{leader ? `plain ADD of ${named(leader.name)}` : ""}</small>
        {now && <Looks of={now} />}
      </h2>
      <div ref={place} class="plot">
        {now && width > 0 && <Chart of={now} width={width} leader={leader?.name ?? null} lanes={lanesFor(kinds)} />}
      </div>
    </section>
  );
};

const named = (name: string): string => {
  const [kind, dimensions, cell] = JSON.parse(name);
  return shownOf({ kind, dimensions, cell }).name;
};

/** The number whose plain ADD is furthest off now; null if none has one. */
const leaderOf = ({ steps }: Run): { name: string; drift: number } | null =>
  [...steps].reduce<{ name: string; drift: number } | null>((best, [name, all]) => {
    const drift = all.findLast((each) => each.drift !== null)?.drift ?? null;
    return drift !== null && (best === null || Math.abs(drift) > Math.abs(best.drift)) ? { name, drift } : best;
  }, null);

/** How often something was compared in this run, and what that found. */
const Looks = ({ of: { compared } }: { of: Run }) => {
  const { equal, lacks, wrong } = compared;
  const said = [
    equal > 0 && `${figure(equal)} equal`,
    lacks > 0 && `${figure(lacks)} lacking`,
    wrong > 0 && `${figure(wrong)} wrong`,
  ].filter(Boolean);
  const look = wrong ? "bad" : lacks ? "warn" : equal ? "good" : "";
  return <span class={`chip ${look}`}>{said.length ? said.join(", ") : "not compared yet"}</span>;
};

/** An element, and how wide it is. */
const useWidth = () => {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const sized = new ResizeObserver(() => setWidth(place.current?.clientWidth ?? 0));
    if (place.current) sized.observe(place.current);
    return () => sized.disconnect();
  }, []);
  return [place, width] as const;
};

interface Drawn {
  of: Run;
  x: (at: number) => number;
  y: (difference: number) => number;
}

interface ChartProps {
  of: Run;
  width: number;
  leader: string | null;
  lanes: Lanes;
}

const Chart = ({ of, width, leader, lanes }: ChartProps) => {
  const from = Math.max(of.begun, of.at - SHOWN_MS);
  const until = Math.max(of.at, from + LEAST_MS);
  const x = (at: number) => LEFT + ((width - LEFT - RIGHT) * (Math.max(at, from) - from)) / (until - from);
  const all = [...of.steps.values()].flat();
  const lines = linesFor(all.flatMap(({ drift, difference }) => [drift ?? 0, difference ?? 0]));
  const [least = 0, most = 0] = [lines[0], lines.at(-1)];
  const tall = width < 500 ? 102 : 172;
  const y = (value: number) => TOP + (tall * (most - value)) / (most - least);
  const below = TOP + tall + 26;
  const end = below + lanes.length * LANE;
  const ticks = ticksFor(from - of.begun, until - of.begun, Math.floor((width - LEFT) / TICK));
  const drawn = { of, x, y };
  return (
    <svg width={width} height={end + 22} role="img" aria-label={inWords(of)}>
      {lines.map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 8} y={y(value) + 4} class="to-right">
            {value > 0 ? `+${figure(value)}` : figure(value)}
          </text>
        </g>
      ))}
      {ticks.map((tick) => (
        <text key={tick} x={x(of.begun + tick)} y={end + 14} class="centred">
          {clock(tick)}
        </text>
      ))}
      {lanes.map(([lane, name], place) => (
        <Lane key={lane} of={of} x={x} lane={lane} name={name} y={below + place * LANE} width={width} />
      ))}
      <PlainAdds {...drawn} leader={leader} />
      <Ours {...drawn} />
    </svg>
  );
};

const inWords = (of: Run): string => {
  const leader = leaderOf(of);
  const plain = leader ? `plain ADD ${leader.drift ? tooMany(leader.drift) : "the same so far"}` : "no plain ADD";
  return `Difference from a recount in ${clock(of.at - of.begun)}: Edgewise ${oursOf(of).text}, ${plain}; ${of.faults.size} faults`;
};

/** Each plain ADD in steps, that which is furthest off with a name and what lies below it. */
const PlainAdds = ({ of, x, y, leader }: Drawn & { leader: string | null }) => {
  const steps = (leader && of.steps.get(leader)) || [];
  const last = steps.findLast((each) => each.drift !== null);
  const drift = last?.drift ?? 0;
  return (
    <g class="plain">
      {steps.map(({ from, until, drift }) =>
        drift ? (
          <rect
            key={from}
            x={x(from)}
            width={x(until) - x(from)}
            y={Math.min(y(drift), y(0))}
            height={Math.abs(y(drift) - y(0))}
          />
        ) : null,
      )}
      {[...of.steps].map(([name, each]) => (
        <path key={name} class={name === leader ? "leader" : ""} d={pathOf(each, x, y)} />
      ))}
      {last && drift !== 0 && (
        <>
          <circle cx={x(last.until)} cy={y(drift)} r="4" />
          <text x={Math.max(x(last.until) - 10, LEFT + LABEL)} y={y(drift) + (drift > 0 ? -7 : 16)} class="to-right">
            plain ADD {drift > 0 ? `+${figure(drift)}` : figure(drift)}
          </text>
        </>
      )}
    </g>
  );
};

/** Only what was compared is drawn, the worst above the rest. */
const Ours = ({ of, x, y }: Drawn) => {
  const drawn = (verdict: Step["verdict"]) =>
    [...of.steps].flatMap(([name, steps]) =>
      steps
        .filter((each) => each.verdict === verdict && each.difference !== null)
        .map((each) => ({ ...each, key: `${name} ${each.from}` })),
    );
  const { text, look } = oursOf(of);
  const above = (leaderOf(of)?.drift ?? 0) < 0;
  return (
    <g class="ours">
      {(["equal", "lacks", "wrong"] as const).map((verdict) =>
        drawn(verdict).map(({ key, from, until, difference }) => (
          <line
            key={key}
            class={verdict}
            x1={x(from)}
            x2={Math.max(x(until), x(from) + 1)}
            y1={y(difference ?? 0)}
            y2={y(difference ?? 0)}
          />
        )),
      )}
      <text class={`to-right ${look}`} x={Math.max(x(of.at) - 6, LEFT + LABEL)} y={y(0) + (above ? -8 : 16)}>
        Edgewise {text}
      </text>
    </g>
  );
};

/** What is said of all numbers now: of the worst of them. */
const oursOf = ({ steps }: Run): { text: string; look: string } => {
  const now = [...steps.values()].flatMap((each) => each.at(-1) ?? []);
  const wrong = now.find(({ verdict }) => verdict === "wrong");
  if (wrong) return { text: tooMany(wrong.difference ?? 0), look: "wrong" };
  const lacks = Math.max(0, ...now.map((each) => (each.verdict === "lacks" ? each.lacks : 0)));
  if (lacks) return { text: `says: lacks ${figure(lacks)}`, look: "lacks" };
  return now.some(({ verdict }) => verdict === "equal") ? { text: "0", look: "equal" } : { text: "begins", look: "" };
};
