/** What is done first where nothing is yet, as a request that anybody can send from a shell. */

import type { paths } from "../api/schema";
import { segment } from "../api/spelling";
import { stage } from "../console";
import type { Node } from "../links";
import type { First } from "./states";

type Method = "post" | "put";
type Told<P extends keyof paths, M extends Method> = Exclude<paths[P][M], undefined>;
type Ids<P extends keyof paths, M extends Method> =
  Told<P, M> extends { parameters: { path: infer I extends Record<string, string> } } ? I : Record<string, never>;
type Body<P extends keyof paths, M extends Method> =
  Told<P, M> extends { requestBody?: { content: { "application/json": infer B } } } ? B : Record<string, never>;

/** The users of the demo that are members of the groups `ingest` and `write`. */
type User = "sensor" | "app";

/** A request as a shell takes it; the user's token is asked for when it is sent. */
const request = <M extends Method, P extends keyof paths>(
  method: M,
  path: P,
  ids: Ids<P, M>,
  body: Body<P, M>,
  { user = "app", headers = [] }: { user?: User; headers?: readonly string[] } = {},
): string => {
  const spelled = path.replace(/{(\w+)}/g, (_, name: string) => segment(String((ids as Record<string, string>)[name])));
  return [
    `curl -X ${method.toUpperCase()} ${quoted(`${location.origin}/api${spelled}`)}`,
    `-H "authorization: Bearer $(make -s token ON=${stage} NAME=${user})"`,
    ...["content-type: application/json", ...headers].map((each) => `-H ${quoted(each)}`),
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(" ");
};

/** One word of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const now = (): string => new Date().toISOString();

interface Reading {
  device?: string;
  place?: readonly string[];
  metric?: string;
}

export const sendReading = ({ device = "JFK", place = ["US", "New York"], metric = "temp" }: Reading = {}): First => {
  const event = { device_id: device, at: now(), place: [...place], metrics: { [metric]: 20 } };
  return {
    what: "Send a reading",
    request: request("post", "/telemetry", {}, { events: [event] }, { user: "sensor" }),
  };
};

export const writeMessage = (room = "harbour"): First => ({
  what: "Write a message",
  request: request("post", "/rooms/{room}/messages", { room }, { messages: [{ text: "hello" }] }),
});

export const placeOrder = (customer = "Customer-1"): First => ({
  what: "Place an order",
  request: request("post", "/customers/{customer}/orders", { customer }, { amount: 9.5 }),
});

interface Play {
  player?: string;
  game?: string;
  award?: string;
}

export const storePlay = ({ player = "rick", game = "chess", award }: Play = {}): First => ({
  what: "Store a play",
  request: request(
    "post",
    "/players/{player}/games",
    { player },
    { game, score: 2410, at: now(), ...(award && { award }) },
  ),
});

export const storeAudit = (equipment = "Equipment_1"): First => ({
  what: "Store an audit",
  request: request("post", "/equipment/{equipment}/audits", { equipment }, { result: "passed", auditor: "app" }),
});

export const createDocument = (document = "handbook"): First => ({
  what: "Create a document",
  request: request("put", "/documents/{document}/metadata", { document }, { title: document }),
});

export const writeVersion = (document: string): First => ({
  what: "Write its first version",
  request: request(
    "post",
    "/documents/{document}/versions",
    { document },
    { content: "Begin here." },
    {
      headers: ["if-none-match: *"],
    },
  ),
});

export const storeInvoice = (invoice = "Invoice-1"): First => ({
  what: "Store an invoice",
  request: request("put", "/invoices/{invoice}", { invoice }, { customer: "Customer-1" }),
});

/** A bill must be there before an invoice can contain it. */
export const addBill = (invoice: string): First => ({
  what: "Store a bill, and add it",
  request: [
    request("put", "/bills/{bill}", { bill: "Bill-1" }, { amount: 9.5 }),
    request("put", "/invoices/{invoice}/bills/{bill}", { invoice, bill: "Bill-1" }, {}),
  ].join(" && "),
});

/** Both nodes must be there before an edge can connect them. */
export const storeEdge = (from?: Node, label = "KNOWS"): First => {
  const [start, end] = [from ?? { type: "person", id: "first" }, { type: "person", id: "second" }];
  const nodes = (from ? [end] : [start, end]).map((each) =>
    request("put", "/graph/nodes/{type}/{id}", { ...each }, { attributes: [] }),
  );
  const ids = { ...start, label, target_type: end.type, target_id: end.id };
  return {
    what: "Store a node, and an edge to it",
    request: [
      ...nodes,
      request("put", "/graph/edges/{type}/{id}/{label}/{target_type}/{target_id}", ids, { weight: 1, data: {} }),
    ].join(" && "),
  };
};

/** What is computed of the whole graph at once. */
export const fillGraph = (): First => ({ what: "Compute it", request: `make fill ON=${stage}` });

/** A check of the whole table. */
export const beginCheck = (): First => ({ what: "Begin a check", request: `make reconcile ON=${stage}` });
