import { expect, test } from "vitest";
import type { Kind } from "./answers";
import { faultOf } from "./faults";
import type { Clicked, Run } from "./run";
import { linkTo, scriptOf, seedOf } from "./script";

const BEGUN = Date.UTC(2026, 10, 30, 1);
const run = (...clicked: (readonly [second: number, act: string, of?: string])[]): Run => ({
  watch: "0a1b2c29",
  plain: true,
  begun: BEGUN,
  at: BEGUN,
  steps: new Map(),
  beats: new Map(),
  again: [],
  slowed: [],
  done: [],
  faults: new Map(),
  compared: { equal: 0, lacks: 0, wrong: 0 },
  clicked: clicked.map(([second, act, of]): Clicked => ({ at: BEGUN + second * 1000, act, ...(of ? { of } : {}) })),
});

test("each click is its second and the key of what was done", () => {
  expect(scriptOf(run([12.3, "kill"], [12.9, "kill"], [60, "lose state"]))).toBe("12k,12k,60l");
  expect(scriptOf(run())).toBe("");
});

test("records that were redriven together are redriven once", () => {
  const both = run(
    [60, "poison"],
    [61, "poison"],
    [75, "redrive", "a 1"],
    [75.2, "redrive", "a 2"],
    [80, "redrive", "a 3"],
  );
  expect(scriptOf(both)).toBe("60p,61p,75r,80r");
});

test("of more than can be seen again, the last is taken", () => {
  expect(scriptOf(run([10, "kill"], [100, "repeat"], [280, "split"]))).toBe("0d,180x");
  const many = Array.from({ length: 70 }, (_, second) => [second, "kill"] as const);
  expect(scriptOf(run(...many)).split(",")).toEqual(Array.from({ length: 60 }, (_, place) => `${place + 10}k`));
});

test("no two acts have one letter, and none that of a redrive", () => {
  const kinds: Kind[] = [
    "kill",
    "lose answer",
    "poison",
    "slow",
    "repeat",
    "repeat half",
    "rewind",
    "lose state",
    "split",
  ];
  const letters = [...kinds.map((kind) => faultOf(kind).key), "r"];
  expect(new Set(letters).size).toBe(kinds.length + 1);
});

test("a link can be read, and its seed is that of the watch", () => {
  expect(linkTo(seedOf(run()), "12k,60p")).toBe("/proof?seed=3113&script=12k,60p");
  expect(linkTo(41, "")).toBe("/proof?seed=41");
});
