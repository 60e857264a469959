/** The pages from which others are opened. */

import { bodyOf } from "../api/client";
import { segment } from "../api/spelling";
import { api } from "../console";
import { entriesFor } from "../navigation";
import type { Person } from "../session";
import { figure, Instant } from "../ui/figures";
import { lazy } from "../ui/lazy";
import { useListed } from "../ui/listed";
import { Open } from "../ui/open";
import { Empty, Failure, Waiting } from "../ui/states";
import { useTitle } from "../ui/title";

const Core = lazy(async () => (await import("./operations/overview")).Core);

export const Home = ({ who }: { who: Person }) => {
  useTitle("Home");
  return (
    <>
      <h1>Hello, {who.name}</h1>
      <p class="about">
        Everything here lies in one DynamoDB table. Its numbers are not counted when you look: each is kept while data
        arrives, exactly once, and stays right when readers fail or repeat themselves. Begin with what interests you.
      </p>
      <Core who={who} />
      <section class="cards">
        {entriesFor(who.administrator).map(({ name, to, about }) => (
          <section key={to}>
            <h2>
              <a href={to}>{name}</a>
            </h2>
            <p>{about}</p>
          </section>
        ))}
      </section>
    </>
  );
};

export const Devices = () => {
  useTitle("Devices");
  return (
    <>
      <h1>Devices</h1>
      <Open what="Device" under="/devices" example="JFK" />
      <Empty>Devices are opened by their id.</Empty>
    </>
  );
};

/** A user's rooms are those in which the user has posted. */
export const Rooms = ({ who }: { who: Person }) => {
  useTitle("Rooms");
  const list = useListed(who.name, (cursor) =>
    bodyOf(api.GET("/users/{user}/rooms", { params: { path: { user: who.name }, query: cursor } })),
  );
  const rooms = list.pages.flatMap((page) => page.rooms);
  return (
    <>
      <h1>Rooms</h1>
      <Open what="Room" under="/rooms" example="harbour" />
      <h2>Rooms in which you have posted</h2>
      {list.error ? <Failure error={list.error} again={list.reload} /> : null}
      {list.waiting && rooms.length === 0 ? <Waiting /> : null}
      {!list.waiting && !list.error && rooms.length === 0 ? <Empty>None yet: open one, and write.</Empty> : null}
      {rooms.length > 0 && (
        <ul class="rows">
          {rooms.map((each) => (
            <li key={each.room}>
              <a href={`/rooms/${segment(each.room)}`}>{each.room}</a>
              <span>{figure(each.messages)} of your messages</span>
              <Instant at={each.last} />
            </li>
          ))}
        </ul>
      )}
      {list.more && (
        <button type="button" onClick={list.next} disabled={list.waiting}>
          More rooms
        </button>
      )}
    </>
  );
};

export const NotFound = () => {
  useTitle("Not found");
  return (
    <>
      <h1>There is no such page</h1>
      <a href="/">Home</a>
    </>
  );
};
