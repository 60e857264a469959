/** Everything of a kind by its id, as links: page by page, and only what begins with a text if somebody asks for it. */

import type { Page } from "../api/pages";
import { address } from "../router";
import { Asking, Field } from "./asking";
import { useListed } from "./listed";
import { Listing } from "./listing";
import type { First } from "./states";
import { Tiles } from "./tiles";

export interface Beginning {
  begins_with?: string;
  cursor?: string;
  limit: number;
}

interface Props<P extends Page> {
  /** What they are called, such as Devices. */
  name: string;
  /** The page of an id. */
  at: (id: string) => string;
  read: (query: Beginning) => Promise<P>;
  ids: (page: P) => readonly string[];
  /** How the first comes about. */
  first: First;
}

/** Of each request. */
const LIMIT = 200;

export const Ids = <P extends Page>({ name, at, read, ids, first }: Props<P>) => {
  const text = address.value.searchParams.get("begins_with") ?? "";
  const list = useListed(`${name} ${text}`, (cursor) =>
    read({ ...cursor, limit: LIMIT, ...(text && { begins_with: text }) }),
  );
  return (
    <section>
      <Asking ask="Find">
        <Field key={text} label={`${name} that begin with`} name="begins_with" value={text} />
      </Asking>
      <Listing
        list={list}
        entries={ids}
        empty={text ? "None begins with that." : "There are none yet."}
        first={text ? undefined : first}
        more="More"
      >
        {(found) => <Tiles of={found.map((id) => [id, at(id)] as const)} />}
      </Listing>
    </section>
  );
};
