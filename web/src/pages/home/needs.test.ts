import { expect, test, vi } from "vitest";
import type { components } from "../../api/schema";
import { needs } from "./needs";

vi.mock("../../console", () => ({}));

const NOW = Date.UTC(2026, 10, 29, 12);
const hours = (before: number) => new Date(NOW - before * 3_600_000).toISOString();
const overview = (of: object) =>
  ({
    quarantined: 0,
    incomplete: 0,
    check: { run: "r", instant: hours(2), aggregates: 9, differences: 0 },
    ...of,
  }) as components["schemas"]["OverviewOut"];
const names = (of: object, admin = true) => needs([], overview(of), admin, NOW).map(({ name }) => name);

test("nothing needs anybody while all is as it should be", () => {
  expect(names({})).toEqual([]);
});

test("what is set aside, what lacks something and what differed is named, with how many", () => {
  const check = { run: "r", instant: hours(2), aggregates: 9, differences: 3 };
  expect(names({ quarantined: 1, incomplete: 2, check })).toEqual([
    "1 record is in quarantine",
    "2 numbers lack something",
    "3 differed at the last check",
  ]);
});

test("a check that is late or was never made is named", () => {
  expect(names({ check: { run: "r", instant: hours(31), aggregates: 9, differences: 0 } })).toEqual([
    "The nightly check is late",
  ]);
  expect(names({ check: null })).toEqual(["The table was never checked"]);
});

const alert = {
  id: "1",
  alert: "degraded",
  kind: "STATES",
  dimensions: [["business", "shop"], "in", "PART_OF"],
  since: hours(1),
};

test("of many alerts the newest are named, and how many others hold", () => {
  expect(needs(Array(5).fill(alert), undefined, false, NOW).map(({ name }) => name)).toEqual([
    "shop: degraded",
    "shop: degraded",
    "3 more alerts hold",
  ]);
});

test("who can open none of it is told of alerts only", () => {
  const found = needs([alert], overview({ quarantined: 1 }), false, NOW);
  expect(found.map(({ name, about }) => [name, about])).toEqual([["shop: degraded", "for 60 min"]]);
});
