import { expect, test } from "vitest";
import { type Found, nameOf, pageOf, pieces } from "./found";

const message: Found = {
  kind: "message",
  id: ["sea/ttle", "m1"],
  title: { text: "", marks: [] },
  excerpt: { text: "see you", marks: [{ start: 0, end: 3 }] },
  at: null,
  attributes: { room: "sea/ttle", user: "amy" },
};

test("a text is taken apart where it was asked for, whatever its characters take in a string", () => {
  const text = "🎈 the zeppelin 🎈";
  expect(pieces({ text, marks: [{ start: 6, end: 14 }] })).toEqual([
    ["🎈 the ", false],
    ["zeppelin", true],
    [" 🎈", false],
  ]);
  expect(
    pieces({
      text: "ab",
      marks: [
        { start: 0, end: 1 },
        { start: 1, end: 2 },
      ],
    }),
  ).toEqual([
    ["a", true],
    ["b", true],
  ]);
  expect(pieces({ text: "", marks: [] })).toEqual([]);
});

test("a thing leads to its page, and a message is named by who wrote it", () => {
  expect(pageOf(message)).toBe("/rooms/sea~2Fttle");
  expect(pageOf({ kind: "place", id: ["US", "Texas"] })).toBe("/places/US/Texas");
  expect(pageOf({ kind: "node", id: ["person", "amy"] })).toBe("/graph/person/amy");
  expect(nameOf(message)).toBe("amy in sea/ttle");
  expect(nameOf({ ...message, title: { text: "A title", marks: [] } })).toBe("A title");
});
