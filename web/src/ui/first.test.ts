import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addBill, beginCheck, sendReading, storeAudit, storeEdge } from "./first";

vi.mock("../console", () => ({ stage: "dev" }));

beforeEach(() => {
  vi.stubGlobal("location", { origin: "https://console.example" });
  vi.useFakeTimers({ now: Date.parse("2026-11-30T04:05:06.789Z") });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a reading is sent by whoever may, with the present time", () => {
  const event = `{"device_id":"JFK","at":"2026-11-30T04:05:06.789Z","place":["US","New York"],"metrics":{"temp":20}}`;
  expect(sendReading().request).toBe(
    [
      "curl -X POST 'https://console.example/api/telemetry'",
      '-H "authorization: Bearer $(make -s token ON=dev NAME=sensor)"',
      "-H 'content-type: application/json'",
      `-d '{"events":[${event}]}'`,
    ].join(" "),
  );
});

test("ids are spelled as in the API, and end no word of a shell", () => {
  expect(storeAudit("a/b?c").request).toContain("/equipment/a~2Fb~3Fc/audits'");
  expect(storeAudit("it's").request).toContain(String.raw`/equipment/it'\''s/audits'`);
});

test("what must be there first is stored first", () => {
  const addresses = (command: string) =>
    [...command.matchAll(/curl -X (\w+) 'https:\/\/console.example\/api([^']*)'/g)].map(([, ...said]) =>
      said.join(" "),
    );
  expect(addresses(addBill("I-7").request)).toEqual(["PUT /bills/Bill-1", "PUT /invoices/I-7/bills/Bill-1"]);
  expect(addresses(storeEdge({ type: "host", id: "h1" }, "RUNS").request)).toEqual([
    "PUT /graph/nodes/person/second",
    "PUT /graph/edges/host/h1/RUNS/person/second",
  ]);
  expect(addresses(storeEdge().request)).toHaveLength(3);
});

test("a check is begun on the stage that is looked at", () => {
  expect(beginCheck().request).toBe("make reconcile ON=dev");
});
