/** All records of a kind, from which one is opened. */

import { bodyOf } from "../../api/client";
import type { Page } from "../../api/pages";
import { api } from "../../console";
import { customerAt, documentAt, equipmentAt, gameAt, invoiceAt, playerAt } from "../../links";
import { createDocument, placeOrder, storeAudit, storeInvoice, storePlay } from "../../ui/first";
import { Heading } from "../../ui/heading";
import { type Beginning, Ids } from "../../ui/ids";
import type { First } from "../../ui/states";

const all =
  <P extends Page>(
    name: string,
    at: (id: string) => string,
    read: (query: Beginning) => Promise<P>,
    ids: (page: P) => readonly string[],
    first: () => First,
  ) =>
  () => (
    <>
      <Heading above={["/records", "Records"]} name={name} />
      <Ids name={name} at={at} read={read} ids={ids} first={first()} />
    </>
  );

export const Customers = all(
  "Customers",
  customerAt,
  (query) => bodyOf(api.GET("/customers", { params: { query } })),
  (page) => page.customers,
  placeOrder,
);
export const Players = all(
  "Players",
  playerAt,
  (query) => bodyOf(api.GET("/players", { params: { query } })),
  (page) => page.players,
  storePlay,
);
export const Games = all(
  "Games",
  gameAt,
  (query) => bodyOf(api.GET("/games", { params: { query } })),
  (page) => page.games,
  storePlay,
);
export const AllEquipment = all(
  "Equipment",
  equipmentAt,
  (query) => bodyOf(api.GET("/equipment", { params: { query } })),
  (page) => page.equipment,
  storeAudit,
);
/** Those that the reader may read. */
export const Documents = all(
  "Documents",
  documentAt,
  (query) => bodyOf(api.GET("/documents", { params: { query } })),
  (page) => page.documents.map((each) => each.document),
  createDocument,
);
export const Invoices = all(
  "Invoices",
  invoiceAt,
  (query) => bodyOf(api.GET("/invoices", { params: { query } })),
  (page) => page.invoices,
  storeInvoice,
);
