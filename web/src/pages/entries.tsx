/** The pages from which others are opened. */

import { bodyOf } from "../api/client";
import { api } from "../console";
import { deviceAt, roomAt } from "../links";
import type { Person } from "../session/session";
import { figure, Instant } from "../ui/figures";
import { sendReading, writeMessage } from "../ui/first";
import { Ids } from "../ui/ids";
import { useListed } from "../ui/listed";
import { Listing, Rows } from "../ui/listing";
import { Open } from "../ui/open";
import { useTitle } from "../ui/title";

export const Devices = () => {
  useTitle("Devices");
  return (
    <>
      <h1>Devices</h1>
      <Open what="Device" at={deviceAt} example="JFK" />
      <Ids
        name="Devices"
        at={deviceAt}
        read={(query) => bodyOf(api.GET("/devices", { params: { query } }))}
        ids={(page) => page.devices}
        first={sendReading()}
      />
    </>
  );
};

/** A user's rooms are those in which the user has posted. */
export const Rooms = ({ who }: { who: Person }) => {
  useTitle("Rooms");
  const list = useListed(who.name, (cursor) =>
    bodyOf(api.GET("/users/{user}/rooms", { params: { path: { user: who.name }, query: cursor } })),
  );
  return (
    <>
      <h1>Rooms</h1>
      <Open what="Room" at={roomAt} example="harbour" />
      <h2>Rooms in which you have posted</h2>
      <div class="few">
        <Listing list={list} entries={(page) => page.rooms} empty="None yet: open one, and write." more="More rooms">
          {(rooms) => (
            <Rows
              of={rooms.map((each) => [
                each.room,
                <a key="room" href={roomAt(each.room)}>
                  {each.room}
                </a>,
                `${figure(each.messages)} of your messages`,
                <Instant key="last" at={each.last} />,
              ])}
            />
          )}
        </Listing>
      </div>
      <h2>All rooms</h2>
      <Ids
        name="Rooms"
        at={roomAt}
        read={(query) => bodyOf(api.GET("/rooms", { params: { query } }))}
        ids={(page) => page.rooms}
        first={writeMessage()}
      />
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
