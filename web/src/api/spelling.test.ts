import { expect, test } from "vitest";
import { segment, unspelled } from "./spelling";

// The table of docs/api.md, and what any URL encodes.
test.each([
  ["JFK", "JFK"],
  ["hall/3", "hall~2F3"],
  ["100%", "100~25"],
  ["why?", "why~3F"],
  ["a~b", "a~7Eb"],
  [".", "~2E"],
  ["..", "~2E~2E"],
  ["a.b", "a.b"],
  ["\uFFFD", "~EF~BF~BD"],
  ["New York", "New%20York"],
  ["Zürich", "Z%C3%BCrich"],
  ["Zu\u0308rich 😀", "Zu~CC~88rich%20~F0~9F~98~80"],
  ["~\u0300", "~7E~CC~80"],
])("%s is spelled %s, and read again", (id, spelled) => {
  expect(segment(id)).toBe(spelled);
  expect(unspelled(spelled)).toBe(id);
});

test("what spells no id is taken as it is", () => {
  expect(unspelled("50%")).toBe("50%");
});
