import { expect, test } from "vitest";
import { type Moved, seenWith, shownOf, UNSEEN } from "./arrivals";

const moved = (kind: string, name: string, second: number, count = 1): Moved => ({
  kind,
  dimensions: [name],
  at: `2026-11-29T12:00:${String(second).padStart(2, "0")}.000Z`,
  cell: "Events",
  count,
  lacks: null,
});
const page = (looked: number, cursor: string | null, ...found: Moved[]) => ({ at: "", looked, moved: found, cursor });

test("the newest comes first, whichever page has it, and each number once, as it was seen last", () => {
  const first = seenWith(UNSEEN, page(100, "next", moved("DEVICE", "a", 5), moved("DEVICE", "b", 3)));
  const second = seenWith(first, page(20, null, moved("ROOM", "a", 9)));
  const again = seenWith(second, page(100, "next", moved("DEVICE", "b", 30, 2)));
  expect(again.moved.map(({ kind, dimensions, count }) => [kind, dimensions[0], count])).toEqual([
    ["DEVICE", "b", 2],
    ["ROOM", "a", 1],
    ["DEVICE", "a", 1],
  ]);
});

test("how many were looked at is that of a whole walk, once there was one", () => {
  const first = seenWith(UNSEEN, page(100, "next"));
  expect([first.now, first.last]).toEqual([100, null]);
  const second = seenWith(first, page(20, null));
  expect([second.now, second.last, second.cursor]).toEqual([0, 120, null]);
});

test("a number leads to the page of what it is about", () => {
  expect(shownOf({ ...moved("PLACE", "", 1), dimensions: [["US", "New York"]] })).toMatchObject({
    to: "/places/US/New%20York",
    name: "US / New York",
  });
  const uuid = "a07edb12-6b91-4138-b11e-02421888d699";
  expect(shownOf(moved("ROOM", uuid, 1))).toMatchObject({ to: `/rooms/${uuid}`, name: "a07edb12…" });
  expect(shownOf(moved("DEVICE", "hall/3", 1)).to).toBe("/devices/hall~2F3");
  expect(shownOf(moved("NEW_KIND", "x", 1)).to).toBe("/exactness");
});
