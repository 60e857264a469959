import { expect, test } from "vitest";
import { firstOf } from "./choice";

const moved = (kind: string, name: string, at: string) => ({
  kind,
  dimensions: [name],
  at: `2026-11-30T01:${at}.000Z`,
  cell: "events",
  count: 1,
  lacks: null,
});

test("what moves now is watched first, of each kind the newest, and nothing that can't be watched", () => {
  const all = [
    moved("DEVICE", "JFK", "10:58"),
    moved("CUSTOMER", "c", "10:59"),
    moved("DEVICE", "EWR", "10:59"),
    moved("DEVICE", "LGA", "10:57"),
    moved("ROOM", "harbour", "10:30"),
    moved("GAME", "chess", "09:58"),
    moved("SEARCH", "x", "11:00"),
  ];
  const names = (watchable: string[]) => firstOf(all, watchable).map(({ dimensions }) => dimensions[0]);
  expect(names(["DEVICE", "ROOM", "GAME"])).toEqual(["EWR", "harbour", "JFK", "LGA"]);
  expect(names(["DEVICE", "GAME"])).toEqual(["EWR", "JFK", "LGA", "chess"]);
  expect(names([])).toEqual([]);
});
