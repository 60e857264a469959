import { expect, test, vi } from "vitest";
import type { Look, NumberOut } from "./answers";
import { toldOf } from "./told";

vi.mock("../../console", () => ({}));

const AT = "2026-11-30T01:00:00.000Z";
const number = (verdict: NumberOut["verdict"], of: Partial<NumberOut> = {}): NumberOut => ({
  kind: "ROOM",
  dimensions: ["harbour"],
  cell: "Messages",
  stored: 1,
  expected: 1,
  difference: 0,
  lacks: 0,
  plain: null,
  verdict,
  ...of,
});
const told = (numbers: NumberOut[], of: Partial<Look> = {}) =>
  toldOf({
    at: AT,
    watch: null,
    slow_until: null,
    asked: [],
    verdict: "compared",
    why: "the first records are on their way",
    quarantined: 0,
    numbers,
    shards: [],
    done: [],
    ...of,
  });

test("nothing is green that was not compared", () => {
  const answers = [
    told([], { verdict: "unwatched" }),
    told([]),
    told([number("begins")]),
    told([number("equal"), number("begins")], { verdict: "begins" }),
  ];
  expect(answers.map(({ look, word }) => [look, word])).toEqual([
    ["", "Not watched:"],
    ["", "Not watched:"],
    ["", "Begins:"],
    ["", "Begins:"],
  ]);
  expect(answers[2]?.about).toBe("the first records are on their way");
  expect(answers[3]?.about).toBe("1 of 2 numbers equals a recount up to the checkpoints.");
});

test("the worst is told", () => {
  const all = [number("equal"), number("lacks", { lacks: 1 }), number("wrong", { difference: 3 })];
  expect([1, 2, 3].map((count) => told(all.slice(0, count)).look)).toEqual(["good", "warn", "bad"]);
  expect(told(all).about).toBe("1 of 3 numbers differs from a recount.");
});
