/** The pages of records, all in one script. */

import type { JSX } from "preact";
import { matched } from "../../router";
import { NotFound } from "../entries";
import { AllEquipment, Customers, Documents, Games, Invoices, Players } from "./all";
import { Bill } from "./bill";
import { Customer } from "./customer";
import { Document } from "./document";
import { Equipment } from "./equipment";
import { Award, Game } from "./game";
import { Invoice } from "./invoice";
import { OpenOrders } from "./orders";
import { Player } from "./player";
import "./records.css";

const PAGES: readonly (readonly [string, (id: string) => JSX.Element])[] = [
  ["orders", () => <OpenOrders />],
  ["customers", () => <Customers />],
  ["players", () => <Players />],
  ["games", () => <Games />],
  ["equipment", () => <AllEquipment />],
  ["documents", () => <Documents />],
  ["invoices", () => <Invoices />],
  ["customers/:id", (id) => <Customer customer={id} />],
  ["players/:id", (id) => <Player player={id} />],
  ["games/:id", (id) => <Game game={id} />],
  ["awards/:id", (id) => <Award award={id} />],
  ["equipment/:id", (id) => <Equipment equipment={id} />],
  ["documents/:id", (id) => <Document document={id} />],
  ["invoices/:id", (id) => <Invoice invoice={id} />],
  ["bills/:id", (id) => <Bill bill={id} />],
];

export const Record = ({ rest }: { rest: string }) => {
  for (const [pattern, page] of PAGES) {
    const ids = matched(pattern, rest);
    if (ids) return page(ids.id ?? "");
  }
  return <NotFound />;
};
