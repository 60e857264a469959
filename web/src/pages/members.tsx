/** Who has written in a room. */

import { bodyOf } from "../api/client";
import { api } from "../console";
import { personAt } from "../links";
import { useListed } from "../ui/listed";
import { Listing, Rows } from "../ui/listing";

export const Members = ({ room }: { room: string }) => {
  const list = useListed(room, (cursor) =>
    bodyOf(api.GET("/rooms/{room}/users", { params: { path: { room }, query: { limit: 50, ...cursor } } })),
  );
  return (
    <Listing list={list} entries={(page) => page.users} empty="Nobody yet." more="More members">
      {(users) => (
        <Rows
          of={users.map((user) => [
            user,
            <a key="person" href={personAt(user)}>
              {user}
            </a>,
          ])}
        />
      )}
    </Listing>
  );
};
