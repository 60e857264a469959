/** A device: its numbers, the places it reported from, and its metrics by hour or by day. */

import { bodyOf } from "../api/client";
import type { components } from "../api/schema";
import { segment } from "../api/spelling";
import { api } from "../console";
import { placeAt } from "../links";
import { useLive } from "../live/use";
import { address, go } from "../router";
import { Connection } from "../ui/connection";
import { Figures, figure, Instant } from "../ui/figures";
import { useLoaded } from "../ui/loaded";
import { Empty, Failure, Waiting } from "../ui/states";
import { useTitle } from "../ui/title";
import { Rollups } from "./rollups";

type DeviceOut = components["schemas"]["DeviceOut"];
export type Grain = "hour" | "day";

export const Device = ({ device }: { device: string }) => {
  useTitle(device);
  const summary = useLive(`/devices/${segment(device)}`, () =>
    bodyOf(api.GET("/devices/{device}", { params: { path: { device } } })),
  );
  const metrics = useLoaded(device, () => metricsOf(device));
  const error = summary.error ?? metrics.error;
  const reload = () => {
    summary.reload();
    metrics.reload();
  };
  return (
    <>
      <div class="heading">
        <h1>{device}</h1>
        <Connection />
        <button type="button" onClick={reload} disabled={summary.waiting}>
          Reload
        </button>
      </div>
      {error ? <Failure error={error} again={reload} /> : null}
      {summary.value && metrics.value ? (
        <Numbers device={summary.value} metrics={metrics.value} />
      ) : (
        !error && <Waiting />
      )}
    </>
  );
};

/** Those of the newest reading: the API lists no others. */
const metricsOf = async (device: string): Promise<string[]> => {
  const query = { order: "desc", limit: 1 } as const;
  const newest = await bodyOf(api.GET("/devices/{device}/events", { params: { path: { device }, query } }));
  return Object.keys(newest.events[0]?.metrics ?? {}).sort();
};

const Numbers = ({ device, metrics }: { device: DeviceOut; metrics: string[] }) => {
  const { searchParams } = address.value;
  const metric = searchParams.get("metric") ?? metrics[0];
  const grain: Grain = searchParams.get("grain") === "day" ? "day" : "hour";
  return (
    <>
      {device.summary && (
        <Figures
          of={[
            ["Readings", figure(device.summary.events)],
            ["Places", figure(device.summary.places)],
            ["First", <Instant key="first" at={device.summary.first} />],
            ["Last", <Instant key="last" at={device.summary.last} />],
          ]}
        />
      )}
      <section>
        <h2>Measurements</h2>
        {metric === undefined ? (
          <Empty>The newest reading has no metrics.</Empty>
        ) : (
          <>
            <Choice metrics={metrics.includes(metric) ? metrics : [metric, ...metrics]} metric={metric} grain={grain} />
            <Rollups device={device.device} metric={metric} grain={grain} last={device.summary?.last ?? null} />
          </>
        )}
      </section>
      <Places of={device} />
    </>
  );
};

const Choice = ({ metrics, metric, grain }: { metrics: string[]; metric: string; grain: Grain }) => {
  const show = (change: Record<string, string>) => {
    const parameters = new URLSearchParams({ metric, grain, ...change });
    go(`${address.value.pathname}?${parameters}`, { replace: true });
  };
  return (
    <div class="choice">
      <label>
        Metric{" "}
        <select value={metric} onChange={(event) => show({ metric: event.currentTarget.value })}>
          {metrics.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label>
        By{" "}
        <select value={grain} onChange={(event) => show({ grain: event.currentTarget.value })}>
          <option>hour</option>
          <option>day</option>
        </select>
      </label>
    </div>
  );
};

const Places = ({ of }: { of: DeviceOut }) => (
  <section>
    <h2>Places</h2>
    {of.places.length === 0 ? (
      <Empty>Its readings name no place.</Empty>
    ) : (
      <ul class="rows">
        {of.places.map((each) => (
          <li key={each.place.join("/")}>
            <a href={placeAt(each.place)}>{each.place.join(" / ")}</a>
            <span>{figure(each.events)} readings</span>
            <Instant at={each.last} />
          </li>
        ))}
      </ul>
    )}
    {of.cursor && <p class="about">It reported from more places than these.</p>}
  </section>
);
