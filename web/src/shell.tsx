/** The frame of every page: the sidebar, where the page is, and the page of the address. */

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { breakable, session } from "./console";
import { entriesFor } from "./navigation";
import { Check } from "./pages/check";
import { Checks } from "./pages/checks";
import { Device } from "./pages/device";
import { Devices, NotFound, Rooms } from "./pages/entries";
import { Room } from "./pages/room";
import { address, matched } from "./router";
import { Palette } from "./search/palette";
import { type Person, person } from "./session/session";
import { Doubts } from "./shell/freshness";
import { Keys, useKeys } from "./shell/keys";
import { PhoneBar } from "./shell/phone";
import { Sidebar } from "./shell/sidebar";
import { Top } from "./shell/top";
import { lazy } from "./ui/lazy";
import "./shell/shell.css";

type Ids = Record<string, string>;

const Home = lazy(async () => (await import("./pages/home/home")).Home);
const Places = lazy(async () => (await import("./pages/places/places")).Places);
const Place = lazy(async () => (await import("./pages/places/place")).Place);
const Somebody = lazy(async () => (await import("./pages/person")).Person);
const Alerts = lazy(async () => (await import("./pages/alerts")).Alerts);
const Graph = lazy(async () => (await import("./pages/graph/graph")).Graph);
const Node = lazy(async () => (await import("./pages/graph/node")).Node);
const Records = lazy(async () => (await import("./pages/records/records")).Records);
const Overview = lazy(async () => (await import("./pages/operations/overview")).Overview);
const WholeTable = lazy(async () => (await import("./pages/operations/table")).WholeTable);
const Proof = lazy(async () => (await import("./pages/proof/proof")).Proof);
const Exactness = lazy(async () => (await import("./pages/operations/exactness")).Exactness);
const Aggregate = lazy(async () => (await import("./pages/operations/aggregate")).Aggregate);
const Quarantine = lazy(async () => (await import("./pages/operations/quarantine")).Quarantine);
const Quarantined = lazy(async () => (await import("./pages/operations/quarantine")).Quarantined);
const Search = lazy(async () => (await import("./pages/search")).Search);
const Record = lazy(async () => (await import("./pages/records/record")).Record);

const PAGES: readonly (readonly [string, (ids: Ids, who: Person) => JSX.Element])[] = [
  ["/", (_, who) => <Home who={who} />],
  ["/devices", () => <Devices />],
  ["/devices/:device", ({ device = "" }) => <Device key={device} device={device} />],
  ["/places", () => <Places />],
  ["/places/*", ({ rest = "" }) => <Place key={rest} rest={rest} />],
  ["/rooms", (_, who) => <Rooms who={who} />],
  ["/rooms/:room", ({ room = "" }) => <Room key={room} room={room} />],
  ["/people/:user", ({ user = "" }) => <Somebody key={user} user={user} />],
  ["/alerts", () => <Alerts />],
  ["/graph", () => <Graph />],
  ["/graph/:type/:id", ({ type = "", id = "" }) => <Node key={`${type}/${id}`} type={type} id={id} />],
  ["/search", () => <Search />],
  ["/records", () => <Records />],
  ["/records/*", ({ rest = "" }) => <Record key={rest} rest={rest} />],
  ["/overview", (_, who) => <Overview who={who} />],
  ["/table", () => <WholeTable />],
  ["/proof", () => (breakable ? <Proof /> : <NotFound />)],
  ["/exactness", (_, who) => <Exactness who={who} />],
  ["/exactness/:kind", ({ kind = "" }, who) => <Aggregate key={kind} kind={kind} who={who} />],
  ["/quarantine", () => <Quarantine />],
  [
    "/quarantine/:shard/:sequence",
    ({ shard = "", sequence = "" }) => <Quarantined shard={shard} sequence={sequence} />,
  ],
  ["/checks", () => <Checks />],
  ["/checks/:run", ({ run = "" }) => <Check key={run} run={run} />],
];

export const Shell = () => {
  const who = person.value;
  const { pathname } = address.value;
  const administrator = who?.administrator ?? false;
  const entries = useMemo(() => entriesFor(administrator, breakable), [administrator]);
  useKeys(entries);
  if (!who)
    return (
      <Content path={pathname}>
        <SignedOut />
      </Content>
    );
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Sidebar path={pathname} entries={entries} who={who} />
      <div class="page">
        <Top path={pathname} />
        <Content path={pathname}>
          <Doubts administrator={administrator} />
          {pageAt(pathname, who)}
        </Content>
      </div>
      <PhoneBar path={pathname} entries={entries} who={who} />
      <Palette entries={entries} />
      <Keys entries={entries} />
    </div>
  );
};

const pageAt = (path: string, who: Person): JSX.Element => {
  for (const [pattern, page] of PAGES) {
    const ids = matched(pattern, path);
    if (ids) return page(ids, who);
  }
  return <NotFound />;
};

/** A new page takes the focus, so that the keyboard and screen readers go on there. */
const Content = ({ path, children }: { path: string; children: ComponentChildren }) => {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
    shown.current = path;
  }, [path]);
  return (
    <main id="content" ref={main} tabIndex={-1}>
      {children}
    </main>
  );
};

const SignedOut = () => (
  <section class="welcome">
    <h1>Edgewise</h1>
    <p>
      Exact aggregates on one DynamoDB table: devices and places, rooms, a graph, records, and the checks that count
      everything anew.
    </p>
    <button type="button" class="primary" onClick={() => session.signIn()}>
      Sign in
    </button>
  </section>
);
