/** Somebody who writes in rooms: their numbers, their rooms, and their messages in all rooms. */

import { bodyOf } from "../api/client";
import { api } from "../console";
import { roomAt } from "../links";
import { Figures, figure, Instant } from "../ui/figures";
import { Heading } from "../ui/heading";
import { useListed } from "../ui/listed";
import { Listing, Rows } from "../ui/listing";

export const Person = ({ user }: { user: string }) => {
  const path = { user };
  const rooms = useListed(user, (cursor) =>
    bodyOf(api.GET("/users/{user}/rooms", { params: { path, query: { limit: 20, ...cursor } } })),
  );
  const messages = useListed(user, (cursor) =>
    bodyOf(api.GET("/users/{user}/messages", { params: { path, query: { limit: 50, ...cursor } } })),
  );
  const summary = rooms.pages[0]?.summary;
  return (
    <>
      <Heading above={["/rooms", "Rooms"]} name={user} />
      {summary && (
        <Figures
          of={[
            ["Messages", figure(summary.messages)],
            ["Rooms", figure(summary.rooms)],
          ]}
        />
      )}
      <section>
        <h2>Rooms</h2>
        <Listing list={rooms} entries={(page) => page.rooms} empty="They have written nowhere." more="More rooms">
          {(found) => (
            <Rows
              of={found.map((each) => [
                each.room,
                <a key="room" href={roomAt(each.room)}>
                  {each.room}
                </a>,
                `${figure(each.messages)} messages`,
                <Instant key="last" at={each.last} />,
              ])}
            />
          )}
        </Listing>
      </section>
      <section>
        <h2>Messages in all rooms, the newest first</h2>
        <Listing list={messages} entries={(page) => page.messages} empty="There are none." more="Older messages">
          {(found) => (
            <Rows
              of={found.map((each) => [
                `${each.sent_at} ${each.room} ${each.message_id}`,
                <Instant key="at" at={each.sent_at} />,
                <a key="room" href={roomAt(each.room)}>
                  {each.room}
                </a>,
                each.text,
              ])}
            />
          )}
        </Listing>
      </section>
    </>
  );
};
