/** One metric of a device over time: a chart, and the same as a table. */

import { useEffect, useRef, useState } from "preact/hooks";
import { bodyOf } from "../api/client";
import type { components } from "../api/schema";
import { segment } from "../api/spelling";
import type { Drawn } from "../chart";
import { api } from "../console";
import { useLive } from "../live/use";
import { figure, Instant } from "../ui/figures";
import { sendReading } from "../ui/first";
import { useLoaded } from "../ui/loaded";
import { Loading } from "../ui/loading";
import { Scrolling } from "../ui/scrolling";
import { Empty, Failure } from "../ui/states";
import type { Grain } from "./device";

type Rollup = components["schemas"]["RollupOut"];

const DAY_MS = 86_400_000;
/** How far back a chart goes, in days: fewer hours and days than one request may return. */
const SPAN: Record<Grain, number> = { hour: 30, day: 730 };

const LENGTH: Record<Grain, number> = { hour: 3_600_000, day: DAY_MS };

const beginning = (at: string, length: number): number => Math.floor(Date.parse(at) / length) * length;

interface Props {
  device: string;
  metric: string;
  grain: Grain;
  /** The instant of the last reading, near which the chart ends. */
  last: string | null;
}

export const Rollups = ({ device, metric, grain, last }: Props) => {
  const day = beginning(last ?? new Date().toISOString(), DAY_MS);
  const from = new Date(day - SPAN[grain] * DAY_MS).toISOString();
  return <Series key={`${metric} ${grain} ${from}`} {...{ device, metric, grain, last, from }} />;
};

const Series = ({ device, metric, grain, last, from }: Props & { from: string }) => {
  const fetched = (since: string) =>
    bodyOf(
      api.GET("/devices/{device}/rollups", {
        params: { path: { device }, query: { metric, grain, from: since, limit: 1000 } },
      }),
    );
  // What a reading may still change is pushed: everything since the hour or day that was the last when we began.
  const [since] = useState(() => (last ? new Date(beginning(last, LENGTH[grain])).toISOString() : from));
  const query = new URLSearchParams({ metric, grain, from: since, limit: "1000" });
  const read = useLoaded(device, () => fetched(from));
  const recent = useLive(`/devices/${segment(device)}/rollups?${query}`, () => fetched(since));
  return (
    <Loading of={read}>
      {(whole) => {
        const rollups = merged(whole.rollups, recent.value?.rollups ?? []);
        return rollups.length === 0 ? (
          <Empty first={sendReading({ device, metric })}>
            No reading of the last {SPAN[grain]} days has this metric.
          </Empty>
        ) : (
          <>
            <Chart metric={metric} grain={grain} rollups={rollups} />
            <Table metric={metric} grain={grain} rollups={rollups} />
          </>
        );
      }}
    </Loading>
  );
};

/** Each bucket once, as the later list has it. */
const merged = (earlier: readonly Rollup[], later: readonly Rollup[]): Rollup[] => {
  const first = later[0]?.start;
  return first === undefined ? [...earlier] : [...earlier.filter((each) => each.start < first), ...later];
};

type Shown = { metric: string; grain: Grain; rollups: readonly Rollup[] };

const Chart = ({ metric, grain, rollups }: Shown) => {
  const place = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>();
  const chart = useRef<Drawn | null>(null);
  const latest = useRef(rollups);
  latest.current = rollups;
  useEffect(() => {
    let gone = false;
    // Loaded when the first chart is shown.
    import("../chart").then(({ draw }) => {
      if (!gone && place.current) chart.current = draw(place.current, metric, latest.current, LENGTH[grain] / 1000);
    }, setError);
    return () => {
      gone = true;
      chart.current?.remove();
      chart.current = null;
    };
  }, [metric, grain]);
  // Each page of rollups is a new list, and a list never changes.
  useEffect(() => chart.current?.show(rollups), [rollups]);
  // Such as a page that is older than what is served now.
  if (error) return <Failure error={error} />;
  const counted = rollups.reduce((sum, each) => sum + each.count, 0);
  const label = `${metric} by ${grain}: ${figure(counted)} readings in ${figure(rollups.length)} ${grain}s`;
  return (
    <figure>
      <div class="chart" ref={place} role="img" aria-label={label} />
      <figcaption>{label}: the mean, between the least and the greatest</figcaption>
    </figure>
  );
};

const Table = ({ metric, grain, rollups }: Shown) => (
  <details>
    <summary>The same as a table</summary>
    <Scrolling kind="wide" name={`${metric} by ${grain}, as a table`}>
      <table>
        <thead>
          <tr>
            {["Begin (UTC)", "Readings", "Mean", "Least", "Greatest", "First", "Last"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rollups.toReversed().map((each) => (
            <tr key={each.start}>
              <th scope="row">
                <Instant at={each.start} />
              </th>
              {[each.count, each.mean, each.min, each.max, each.first, each.last].map((value, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <td key={column}>{figure(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  </details>
);
