import { expect, test } from "vitest";
import type { RunOut } from "./answers";
import { endOf, runsOf } from "./played";

const BEGUN = Date.UTC(2018, 7, 29, 12);
const at = (second: number) => new Date(BEGUN + second * 1000).toISOString();
const HARBOUR = { kind: "ROOM", dimensions: ["harbour"], cell: "Messages" };
const frame = (
  second: number,
  drift: number,
  of: Partial<RunOut["frames"][number]> = {},
): RunOut["frames"][number] => ({
  at: at(second),
  slow_until: null,
  asked: [],
  verdict: "compared",
  why: "",
  quarantined: 0,
  numbers: [
    {
      ...HARBOUR,
      stored: 9,
      expected: 9,
      difference: 0,
      lacks: 0,
      verdict: "equal",
      plain: { added: 9 + drift, drift },
    },
  ],
  shards: [],
  done: [],
  written: second,
  ...of,
});
const kill = { id: "1", kind: "kill", at: at(1.2), shard: "s", what: "killed after write 3 of 7" } as const;
const RUN: RunOut = {
  seed: 41,
  script: "1k",
  kinds: ["kill"],
  watch: { id: "w", since: at(0), until: at(30), plain: true },
  frames: [frame(0.5, 0), frame(1.5, 7, { done: [kill] }), frame(2.5, 7)],
  clicked: [{ at: at(1), act: "kill", of: null }],
  ends: [],
};

test("each frame is what the page would show had it watched until then", () => {
  const runs = runsOf(RUN);
  expect(runs.map(({ done, clicked }) => [done.length, clicked.length])).toEqual([
    [0, 0],
    [1, 1],
    [1, 1],
  ]);
  expect(runs.map(({ steps }) => [...steps.values()].flat().map(({ drift }) => drift))).toEqual([[0], [0, 7], [0, 7]]);
});

test("the end is told by its worst number", () => {
  const end = (verdict: RunOut["ends"][number]["verdict"]) => ({
    ...HARBOUR,
    stored: 9,
    recounted: 9,
    lacks: 0,
    verdict,
  });
  expect(endOf({ ends: [end("equal"), end("equal")] })).toBe("each number equalled a count of them");
  expect(endOf({ ends: [end("equal"), end("lacks")] })).toContain("which 1 lacked");
  expect(endOf({ ends: [end("lacks"), end("wrong")] })).toBe("1 of 2 numbers differed from a count of them");
});
