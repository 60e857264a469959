import { beforeEach, expect, test, vi } from "vitest";
import { begin, freshnessOf, hear, heard, hearMissing } from "./fresh";

const at = (second: number) => Date.UTC(2026, 10, 29, 12, 0, second);
const iso = (second: number) => new Date(at(second)).toISOString();
const said = (live = false) => freshnessOf(heard.value, live);

beforeEach(() => {
  vi.stubGlobal("location", { pathname: "/devices" });
  begin("");
  begin("/devices");
});

test("nothing is said before an answer came, nor of what does not exist", () => {
  expect(said()).toBeNull();
  hear("/devices", "/api/devices", { devices: [] }, at(1));
  expect(said()).toEqual({ word: "read", asOf: null, read: at(1) });
  hearMissing("/devices");
  expect(said(true)).toBeNull();
});

test("a page is as fresh as the oldest of its numbers", () => {
  hear("/devices", "/api/devices/a", { as_of: iso(30) }, at(40));
  hear("/devices", "/api/devices/b", { as_of: iso(20) }, at(41));
  hear("/devices", "/api/rooms", { rooms: [] }, at(42));
  expect(said(true)).toEqual({ word: "live", asOf: at(20), read: at(40) });
});

test.each([
  [{ behind: true }, "behind"],
  [{ incomplete: true }, "lacks"],
  [{ behind: true, incomplete: true }, "lacks"],
])("one answer that says %o says it for the page", (told, word) => {
  hear("/devices", "/api/a", { as_of: iso(1), ...told }, at(2));
  hear("/devices", "/api/b", { as_of: iso(1) }, at(3));
  expect(said(true)?.word).toBe(word);
});

test("a newer answer takes the place of the one before, whatever page of the list, and wherever it came from", () => {
  hear("/devices", "http://localhost:1/api/devices?limit=5", { as_of: iso(1), behind: true }, at(2));
  hear("/devices", "/devices?limit=5", { as_of: iso(9) }, at(10));
  expect(said()).toEqual({ word: "read", asOf: at(9), read: at(10) });
  hear("/devices", "http://localhost:1/api/devices?limit=5&cursor=x", { as_of: iso(11), behind: true }, at(12));
  expect(said()?.word).toBe("behind");
});

test("a number that an answer calls incomplete is not about the answer", () => {
  hear("/devices", "/api/overview", { incomplete: 1 }, at(1));
  expect(said()?.word).toBe("read");
});

test("what another page had asked for says nothing of this one", () => {
  hear("/rooms", "/api/rooms", { behind: true, as_of: iso(1) }, at(2));
  expect(said()).toBeNull();
});
