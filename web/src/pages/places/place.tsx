/** A place: its sums, the places directly below, the devices there, and what people put there. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { spelled } from "../../api/spelling";
import { api } from "../../console";
import { deviceAt, placeAt, placeIn } from "../../links";
import { Bar } from "../../ui/bar";
import { Figures, figure } from "../../ui/figures";
import { sendReading } from "../../ui/first";
import { type Listed, useListed } from "../../ui/listed";
import { Failed } from "../../ui/loading";
import { Empty, Waiting } from "../../ui/states";
import { Table } from "../../ui/table";
import { Tiles } from "../../ui/tiles";
import { useTitle } from "../../ui/title";
import { Residents } from "./residents";
import "./places.css";

type PlaceOut = components["schemas"]["PlaceOut"];
type PlaceChild = components["schemas"]["PlaceChild"];

export const Place = ({ rest }: { rest: string }) => {
  const place = placeIn(rest);
  const path = place.map(spelled).join("/");
  useTitle(place.join(" / "));
  const list = useListed(path, (cursor) => bodyOf(api.GET("/places", { params: { query: { path, ...cursor } } })), {
    address: `/places?${new URLSearchParams({ path })}`,
    last: ({ places, devices }) => JSON.stringify([places.at(-1)?.name, devices.at(-1)]),
  });
  const summary = list.pages[0]?.summary;
  return (
    <>
      <Trail place={place} />
      <div class="heading">
        <h1>{place.at(-1)}</h1>
        <button type="button" onClick={list.reload} disabled={list.waiting}>
          Reload
        </button>
      </div>
      <Failed of={list} />
      {list.waiting && list.pages.length === 0 ? <Waiting /> : null}
      {summary && (
        <Figures
          of={[
            ["Readings", figure(summary.events)],
            ["Devices", figure(summary.devices)],
            ...Object.entries(summary.entities).map(([kind, count]) => [kindName(kind), figure(count)] as const),
          ]}
        />
      )}
      {list.pages.length > 0 && <Below list={list} place={place} />}
      {summary && Object.keys(summary.entities).length > 0 && (
        <Residents key={path} path={path} kinds={Object.keys(summary.entities)} />
      )}
    </>
  );
};

/** EQUIPMENT is the API's word. */
export const kindName = (kind: string): string => kind.charAt(0) + kind.slice(1).toLowerCase();

const Trail = ({ place }: { place: readonly string[] }) => (
  <nav aria-label="Places above">
    <ol class="trail">
      <li>
        <a href="/places">Places</a>
      </li>
      {place.map((name, depth) => (
        <li key={placeAt(place.slice(0, depth + 1))}>
          <a href={placeAt(place.slice(0, depth + 1))} aria-current={depth === place.length - 1 ? "page" : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ol>
  </nav>
);

const Below = ({ list, place }: { list: Listed<PlaceOut>; place: readonly string[] }) => {
  const children = list.pages.flatMap((page) => page.places);
  const devices = list.pages.flatMap((page) => page.devices);
  return (
    <>
      <section>
        <h2>Places below</h2>
        {children.length > 0 ? <Children of={children} place={place} /> : <Empty>There is no place below.</Empty>}
      </section>
      <section>
        <h2>Devices here or below</h2>
        {devices.length > 0 ? (
          <Tiles of={devices.map((device) => [device, deviceAt(device)] as const)} />
        ) : (
          !list.more && <Empty first={sendReading({ place })}>No device has reported from here.</Empty>
        )}
      </section>
      {list.more && (
        <button type="button" onClick={list.next} disabled={list.waiting}>
          More places and devices
        </button>
      )}
    </>
  );
};

/** Places by the readings at and below them, the most first. */
const Children = ({ of, place }: { of: readonly PlaceChild[]; place: readonly string[] }) => {
  const kinds = [...new Set(of.flatMap((each) => Object.keys(each.entities)))].sort();
  const most = Math.max(...of.map((each) => each.events));
  const sorted = [...of].sort((one, other) => other.events - one.events);
  return (
    <Table
      name="Places below, those with the most readings first"
      columns={[
        "Place",
        <span key="share" class="hidden">
          Share
        </span>,
        "Readings",
        "Devices",
        ...kinds.map(kindName),
      ]}
      rows={sorted.map((each) => [
        each.name,
        <a key="name" href={placeAt([...place, each.name])}>
          {each.name}
        </a>,
        <Bar key="share" of={each.events} greatest={most} />,
        each.events,
        each.devices,
        ...kinds.map((kind) => each.entities[kind] ?? 0),
      ])}
    />
  );
};
