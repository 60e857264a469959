/** All records of a kind, from which one is opened. */

import { bodyOf } from "../../api/client";
import type { Page } from "../../api/pages";
import { api } from "../../console";
import { customerAt, documentAt, equipmentAt, gameAt, invoiceAt, playerAt } from "../../links";
import { Heading } from "../../ui/heading";
import { type Beginning, Ids } from "../../ui/ids";

const all =
  <P extends Page>(
    name: string,
    at: (id: string) => string,
    read: (query: Beginning) => Promise<P>,
    ids: (page: P) => readonly string[],
  ) =>
  () => (
    <>
      <Heading above={["/records", "Records"]} name={name} />
      <Ids name={name} at={at} read={read} ids={ids} />
    </>
  );

export const Customers = all(
  "Customers",
  customerAt,
  (query) => bodyOf(api.GET("/customers", { params: { query } })),
  (page) => page.customers,
);
export const Players = all(
  "Players",
  playerAt,
  (query) => bodyOf(api.GET("/players", { params: { query } })),
  (page) => page.players,
);
export const Games = all(
  "Games",
  gameAt,
  (query) => bodyOf(api.GET("/games", { params: { query } })),
  (page) => page.games,
);
export const AllEquipment = all(
  "Equipment",
  equipmentAt,
  (query) => bodyOf(api.GET("/equipment", { params: { query } })),
  (page) => page.equipment,
);
/** Those that the reader may read. */
export const Documents = all(
  "Documents",
  documentAt,
  (query) => bodyOf(api.GET("/documents", { params: { query } })),
  (page) => page.documents.map((each) => each.document),
);
export const Invoices = all(
  "Invoices",
  invoiceAt,
  (query) => bodyOf(api.GET("/invoices", { params: { query } })),
  (page) => page.invoices,
);
