import { expect, test } from "vitest";
import { changed, type Line, lines } from "./changed";

const SIGNS: Record<Line["kind"], string> = { same: " ", removed: "-", added: "+" };
const told = (before: string, after: string): string[] =>
  lines(before, after).map(({ kind, text }) => SIGNS[kind] + text);

test.each([
  ["a line in the middle", "a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
  ["a line more at the end", "a\nb", "a\nb\nc", [" a", " b", "+c"]],
  ["a line less at the start", "a\nb\nc", "b\nc", ["-a", " b", " c"]],
  ["two places", "a\nb\nc\nd\ne", "a\nc\nd\nx\ne", [" a", "-b", " c", " d", "+x", " e"]],
  ["lines repeated", "a\na\na", "a\na", [" a", " a", "-a"]],
  ["the first text of all", "", "a", ["+a"]],
  ["a text taken away", "a", "", ["-a"]],
  ["nothing", "a\nb", "a\nb", [" a", " b"]],
])("what changed: %s", (_, before, after, expected) => {
  expect(told(before, after)).toEqual(expected);
});

test("as many lines are kept as can be", () => {
  // Of ABCABBA and CBABAC, the longest common part has four lines: a textbook's example.
  const found = lines("A\nB\nC\nA\nB\nB\nA", "C\nB\nA\nB\nA\nC");
  expect(found.filter((each) => each.kind === "same")).toHaveLength(4);
});

test("texts too long to be compared line by line are rewritten between what they share", () => {
  const long = (name: string) => Array.from({ length: 3000 }, (_, each) => `${name} ${each}`).join("\n");
  const found = lines(`same\n${long("old")}\nend`, `same\n${long("new")}\nend`);
  expect(found).toHaveLength(6002);
  expect([found[0], found.at(-1)].map((each) => each?.kind)).toEqual(["same", "same"]);
});

test("the fields that differ, with both values", () => {
  const before = { result: "passed", auditor: "amy", notes: null };
  const after = { result: "failed", auditor: "amy", notes: "rust" };
  expect(changed(before, after)).toEqual([
    { field: "result", before: "passed", after: "failed" },
    { field: "notes", before: null, after: "rust" },
  ]);
});
