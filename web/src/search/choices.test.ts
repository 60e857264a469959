import { expect, test, vi } from "vitest";
import { entriesFor, sectionOf } from "../navigation";
import { groupsFor } from "./choices";
import type { Found } from "./found";

vi.mock("../console", () => ({}));

const found = (kind: Found["kind"], ...id: string[]): Found => ({
  kind,
  id,
  title: { text: "", marks: [] },
  excerpt: { text: "", marks: [] },
  at: null,
  attributes: {},
});

const shown = (asked: string, ...things: Found[]) =>
  groupsFor(asked, entriesFor(false, false), [], things).map(([group, choices]) => [
    group,
    choices.map(({ to }) => to),
  ]);

test("pages are there before anything has been found, those that begin with a word first", () => {
  const [, pages] = shown("al")[0] as [string, string[]];
  expect(pages[0]).toBe("/alerts");
  expect(pages).toContain("/places"); // all that lies at a place
  expect(groupsFor("", entriesFor(false, false), [], [])[0]?.[1].length).toBe(entriesFor(false, false).length);
  expect(shown("quarantine")).toEqual([]);
});

test("what was found follows the pages: things, their numbers once each, and messages", () => {
  expect(
    shown(
      "zz",
      found("device", "hall/3"),
      found("place", "US", "New York"),
      found("message", "quay", "1"),
      found("message", "quay", "2"),
    ),
  ).toEqual([
    ["Go to", ["/devices/hall~2F3", "/places/US/New%20York"]],
    ["Messages", ["/rooms/quay", "/rooms/quay"]],
    [
      "Numbers",
      ["/exactness/DEVICE?device=hall%2F3", "/exactness/PLACE?place=US%2FNew+York", "/exactness/ROOM?room=quay"],
    ],
  ]);
});

test.each([
  ["/", "Home"],
  ["/devices/x", "Devices"],
  ["/records/customers/x", "Orders"],
  ["/records/bills/x", "Billing"],
  ["/records", "Records"],
  ["/people/amy", "Rooms"],
  ["/nowhere", "Home"],
])("%s belongs to %s", (path, name) => {
  expect(sectionOf(path).name).toBe(name);
});
