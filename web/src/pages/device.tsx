/** A device: its numbers, the newest values, its metrics by hour or by day, its places, and its readings. */

import { useEffect } from "preact/hooks";
import { bodyOf } from "../api/client";
import type { components } from "../api/schema";
import { segment } from "../api/spelling";
import { api } from "../console";
import { placeAt } from "../links";
import { useLive } from "../live/use";
import { address, asking, go } from "../router";
import { Figures, figure, Instant } from "../ui/figures";
import { sendReading } from "../ui/first";
import { type Listed, useListed } from "../ui/listed";
import { Loading } from "../ui/loading";
import { Empty } from "../ui/states";
import { useTitle } from "../ui/title";
import { AsSent, Newest } from "./newest";
import { follows, last, latest, mainMetric, type ReadingsOut } from "./readings";
import { Rollups } from "./rollups";

type DeviceOut = components["schemas"]["DeviceOut"];
export type Grain = "hour" | "day";

/** How many readings the newest values are taken from, and how many are read at once. */
const NEWEST = { order: "desc", limit: 50 } as const;

export const Device = ({ device }: { device: string }) => {
  useTitle(device);
  const path = { device };
  const summary = useLive(`/devices/${segment(device)}`, () =>
    bodyOf(api.GET("/devices/{device}", { params: { path } })),
  );
  const readings = useListed(
    device,
    (cursor) => bodyOf(api.GET("/devices/{device}/events", { params: { path, query: { ...NEWEST, ...cursor } } })),
    { address: `/devices/${segment(device)}/events?order=${NEWEST.order}&limit=${NEWEST.limit}`, last, follows },
  );
  const reload = () => {
    summary.reload();
    readings.reload();
  };
  return (
    <>
      <div class="heading">
        <h1>{device}</h1>
        <button type="button" onClick={reload} disabled={summary.waiting}>
          Reload
        </button>
      </div>
      <Loading of={{ ...summary, reload }}>{(found) => <Parts device={found} readings={readings} />}</Loading>
    </>
  );
};

const Parts = ({ device, readings }: { device: DeviceOut; readings: Listed<ReadingsOut> }) => (
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
    {readings.pages.length > 0 && <Measured device={device} readings={readings} />}
    <Places of={device} />
    <AsSent device={device.device} list={readings} />
  </>
);

const Measured = ({ device, readings }: { device: DeviceOut; readings: Listed<ReadingsOut> }) => {
  const { searchParams } = address.value;
  const known = readings.pages.flatMap((page) => page.events);
  const metrics = latest(known, "metrics").map(({ name }) => name);
  const asked = searchParams.get("metric");
  const metric = asked ?? mainMetric(known);
  const grain: Grain = searchParams.get("grain") === "day" ? "day" : "hour";
  // The address says what is shown: so it stays while other readings arrive, and can be shared.
  useEffect(() => {
    if (!asked && metric) go(asking({ metric }), { replace: true });
  }, [asked, metric]);
  return (
    <>
      <Newest readings={known} />
      <section>
        <h2>Measurements</h2>
        {metric === undefined ? (
          <Empty first={sendReading({ device: device.device })}>The newest readings have no metrics.</Empty>
        ) : (
          <>
            <Choice metrics={metrics.includes(metric) ? metrics : [metric, ...metrics]} metric={metric} grain={grain} />
            <Rollups device={device.device} metric={metric} grain={grain} last={device.summary?.last ?? null} />
          </>
        )}
      </section>
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
      <Empty first={sendReading({ device: of.device })}>Its readings name no place.</Empty>
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
