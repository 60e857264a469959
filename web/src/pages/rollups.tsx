/** One metric of a device over time: a chart, and the same as a table. */

import { useEffect, useRef, useState } from "preact/hooks";
import { bodyOf } from "../api/client";
import type { components } from "../api/schema";
import { api } from "../console";
import { figure, Instant } from "../ui/figures";
import { useLoaded } from "../ui/loaded";
import { Scrolling } from "../ui/scrolling";
import { Empty, Failure, Waiting } from "../ui/states";
import type { Grain } from "./device";

type Rollup = components["schemas"]["RollupOut"];

const DAY_MS = 86_400_000;
/** How far back a chart goes, in days: fewer hours and days than one request may return. */
const SPAN: Record<Grain, number> = { hour: 30, day: 730 };

interface Props {
  device: string;
  metric: string;
  grain: Grain;
  /** The instant of the last reading, with which the chart ends. */
  last: string | null;
}

export const Rollups = ({ device, metric, grain, last }: Props) => {
  const from = new Date((last ? Date.parse(last) : Date.now()) - SPAN[grain] * DAY_MS).toISOString();
  const read = useLoaded(JSON.stringify([device, metric, grain, from]), () =>
    bodyOf(
      api.GET("/devices/{device}/rollups", {
        params: { path: { device }, query: { metric, grain, from, limit: 1000 } },
      }),
    ),
  );
  const rollups = read.value?.rollups ?? [];
  if (read.error) return <Failure error={read.error} again={read.reload} />;
  if (!read.value) return <Waiting />;
  if (rollups.length === 0) return <Empty>No reading of the last {SPAN[grain]} days has this metric.</Empty>;
  return (
    <>
      {read.value.incomplete && <p class="about">A record is missing until the aggregate is repaired.</p>}
      <Chart metric={metric} grain={grain} rollups={rollups} />
      <Table metric={metric} grain={grain} rollups={rollups} />
    </>
  );
};

type Shown = { metric: string; grain: Grain; rollups: readonly Rollup[] };

const Chart = ({ metric, grain, rollups }: Shown) => {
  const place = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let remove: (() => void) | undefined;
    let gone = false;
    // Loaded when the first chart is shown.
    import("../chart").then(({ draw }) => {
      if (!gone && place.current) remove = draw(place.current, metric, rollups);
    }, setError);
    return () => {
      gone = true;
      remove?.();
    };
  }, [metric, rollups]);
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
