/** What people put at a place or below it, such as equipment: one kind at a time. */

import { bodyOf } from "../../api/client";
import type { paths } from "../../api/schema";
import { api } from "../../console";
import { billAt, customerAt, documentAt, equipmentAt, invoiceAt, placeAt, playerAt, roomAt } from "../../links";
import { address, asking, go } from "../../router";
import { Choice } from "../../ui/asking";
import { useListed } from "../../ui/listed";
import { Listing, Rows } from "../../ui/listing";
import { kindName } from "./place";

type Kind = paths["/places/entities"]["get"]["parameters"]["query"]["kind"];

/** Where a kind has a page. */
const PAGES: Partial<Record<string, (id: string) => string>> = {
  BILL: billAt,
  CUSTOMER: customerAt,
  DOCUMENT: documentAt,
  EQUIPMENT: equipmentAt,
  INVOICE: invoiceAt,
  PLAYER: playerAt,
  ROOM: roomAt,
};

export const Residents = ({ path, kinds }: { path: string; kinds: readonly string[] }) => {
  const asked = address.value.searchParams.get("kind");
  const kind = (asked && kinds.includes(asked) ? asked : kinds[0]) as Kind;
  const list = useListed(kind, (cursor) =>
    bodyOf(api.GET("/places/entities", { params: { query: { path, kind, ...cursor } } })),
  );
  return (
    <section>
      <h2>Put here or below</h2>
      {kinds.length > 1 && (
        <Choice
          label="Kind"
          name="kind"
          value={kind}
          options={kinds.map((each) => [each, kindName(each)] as const)}
          onChange={(to) => go(asking({ kind: to }), { replace: true })}
        />
      )}
      <Listing list={list} entries={(page) => page.entities} empty="Nothing any more." more="More of these">
        {(entities) => (
          <Rows
            of={entities.map((each) => [
              each.id,
              resident(each.kind, each.id),
              <a key="place" href={placeAt(each.path)}>
                {each.path.join(" / ")}
              </a>,
            ])}
          />
        )}
      </Listing>
    </section>
  );
};

const resident = (kind: string, id: string) => {
  const page = PAGES[kind];
  return page ? <a href={page(id)}>{id}</a> : id;
};
