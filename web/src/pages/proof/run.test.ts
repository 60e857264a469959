import { expect, test } from "vitest";
import type { DoneOut, Kind, Look, NumberOut } from "./answers";
import { after, BEATS, clock, nameOf, type Run, SHOWN_MS, timesOf, withClick, worstOf } from "./run";

const BEGUN = Date.UTC(2026, 10, 30, 1);
const at = (second: number) => new Date(BEGUN + second * 1000).toISOString();
const NEW_YORK = { kind: "PLACE", dimensions: [["US", "New York"]], cell: "events" };
const number = (of: Partial<NumberOut> = {}): NumberOut => ({
  ...NEW_YORK,
  stored: 10,
  expected: 10,
  difference: 0,
  lacks: 0,
  verdict: "equal",
  plain: { added: 10, drift: 0 },
  ...of,
});
const drifted = (drift: number) => number({ plain: { added: 10 + drift, drift } });
const answer = (second: number, of: Partial<Look> = {}): Look => ({
  at: at(second),
  watch: { id: "w1", since: at(0), until: at(second + 30), plain: true },
  slow_until: null,
  asked: [],
  verdict: "compared",
  why: "",
  quarantined: 0,
  numbers: [number()],
  shards: [],
  done: [],
  ...of,
});
const done = (id: string, kind: Kind, second: number, what = "done"): DoneOut => ({
  id,
  kind,
  at: at(second),
  shard: "s",
  what,
});
const run = (...answers: Look[]): Run => {
  const found = answers.reduce<Run | null>(after, null);
  if (!found) throw new Error("no run has begun");
  return found;
};
/** The steps of New York, in seconds since the run began. */
const steps = (of: Run) =>
  (of.steps.get(nameOf(NEW_YORK)) ?? []).map(({ from, until, verdict, drift }) => [
    (from - BEGUN) / 1000,
    (until - BEGUN) / 1000,
    verdict,
    drift,
  ]);

test("there is no run before something is watched, and it stays when nothing is watched any more", () => {
  expect(after(null, answer(1, { watch: null, verdict: "unwatched" }))).toBeNull();
  const begun = run(answer(1));
  expect(after(begun, answer(40, { watch: null, verdict: "unwatched", numbers: [] }))).toBe(begun);
});

test("a number that stays as it is is one step, and each change another", () => {
  expect(
    steps(run(answer(1), answer(2), answer(3, { numbers: [drifted(31)] }), answer(4, { numbers: [drifted(31)] }))),
  ).toEqual([
    [1, 2, "equal", 0],
    [2, 4, "equal", 31],
  ]);
});

test("the time between two answers is as the later one says", () => {
  const begins = number({ verdict: "begins", expected: null, difference: null, plain: null });
  expect(steps(run(answer(1), answer(2, { numbers: [begins] }), answer(3)))).toEqual([
    [1, 1, "equal", 0],
    [1, 2, "begins", null],
    [2, 3, "equal", 0],
  ]);
});

test("between answers that are far apart nothing is known, though both say the same", () => {
  expect(steps(run(answer(1), answer(2), answer(8), answer(9)))).toEqual([
    [1, 2, "equal", 0],
    [8, 9, "equal", 0],
  ]);
});

test("a number that is not watched any more is not shown", () => {
  const room = number({ kind: "ROOM", dimensions: ["harbour"], cell: "Messages" });
  expect([...run(answer(1), answer(2, { numbers: [room] })).steps.keys()]).toEqual(['["ROOM",["harbour"],"Messages"]']);
});

test("each fault counts once, however often the log tells of it, and those before the run do not", () => {
  const early = done("0", "kill", -5);
  const [kill, poison] = [done("1", "kill", 1, "killed after write 3 of 7"), done("2", "poison", 2)];
  const found = run(
    answer(2, { done: [kill, early] }),
    answer(3, { done: [poison, kill, early] }),
    answer(4, { done: [done("3", "kill", 4), poison, kill] }),
    // The same fault is told of again as it goes on.
    answer(5, { done: [done("2", "poison", 5, "set aside")] }),
  );
  expect(timesOf(found, "kill")).toBe(2);
  expect(timesOf(found, "poison")).toBe(1);
  expect(timesOf(found, "slow")).toBe(0);
  expect(found.done.map(({ id, what }) => `${id} ${what}`)).toEqual([
    "2 set aside",
    "3 done",
    "2 done",
    "1 killed after write 3 of 7",
  ]);
});

test("records that came again are marked when they did", () => {
  const shard = (again: number) => [{ shard: "s", delivered: 4, again, at: at(0) }];
  const found = run(answer(1, { shards: shard(0) }), answer(2, { shards: shard(31) }), answer(3, { shards: [] }));
  expect(found.again).toEqual([BEGUN + 2000]);
});

test("a slow time lasts from the first answer that tells of it to the last", () => {
  const slow = (second: number) => answer(second, { slow_until: at(4) });
  const found = run(answer(1), slow(2), slow(3), slow(4), answer(20, { slow_until: at(30) }));
  expect(found.slowed.map(({ from, until }) => [(from - BEGUN) / 1000, (until - BEGUN) / 1000])).toEqual([
    [2, 3],
    [20, 20],
  ]);
});

test("of each shard the last answers are kept, and a silent one goes", () => {
  const shards = (name: string, delivered: number, again: number) => [{ shard: name, delivered, again, at: at(0) }];
  const found = run(answer(1, { shards: shards("b", 31, 0) }), answer(2, { shards: shards("a", 0, 12) }));
  expect(
    [...found.beats].map(([name, beats]) => [name, ...beats.map((each) => `${each.delivered} ${each.again}`)]),
  ).toEqual([
    ["a", "0 12"],
    ["b", "31 0", "0 0"],
  ]);
  const silent = Array.from({ length: BEATS - 1 }, (_, second) => answer(3 + second)).reduce<Run | null>(after, found);
  expect([...(silent?.beats.keys() ?? [])]).toEqual(["a"]);
});

test("what was compared is counted by the worst that an answer found, and what only begins is not", () => {
  const lacks = number({ verdict: "lacks", lacks: 1 });
  const wrong = number({ verdict: "wrong", difference: 3 });
  const begins = number({ verdict: "begins", difference: null });
  const found = run(
    answer(1, { verdict: "begins", numbers: [] }),
    answer(2, { verdict: "begins", numbers: [begins] }),
    answer(3, { verdict: "begins", numbers: [number(), begins] }),
    answer(4, { numbers: [number(), lacks] }),
    answer(5, { numbers: [lacks, wrong, number()] }),
    answer(6),
  );
  expect(found.compared).toEqual({ equal: 2, lacks: 1, wrong: 1 });
  expect(worstOf(answer(1, { verdict: "unwatched", numbers: [] }))).toBeNull();
});

test("another watch begins anew", () => {
  const other = { id: "w2", since: at(50), until: at(80), plain: false };
  const found = run(answer(1, { done: [done("1", "kill", 1)] }), answer(51, { watch: other }));
  expect([found.watch, found.begun - BEGUN, timesOf(found, "kill"), found.plain]).toEqual(["w2", 50_000, 0, false]);
  expect(steps(found)).toEqual([[51, 51, "equal", 0]]);
});

test("what is too old to be shown is forgotten", () => {
  const later = 3 + SHOWN_MS / 1000;
  const shards = [{ shard: "s", delivered: 0, again: 1, at: at(0) }];
  const found = run(answer(1, { shards, slow_until: at(2) }), answer(2, { numbers: [drifted(5)] }), answer(later));
  expect(steps(found)).toEqual([[later, later, "equal", 0]]);
  expect([found.again, found.slowed]).toEqual([[], []]);
});

test("what is clicked before a run has begun is no part of it", () => {
  expect(withClick(null, { at: 0, act: "kill" })).toBeNull();
});

test.each([
  [-1, "0:00"],
  [999, "0:00"],
  [59_999, "0:59"],
  [134_000, "2:14"],
  [600_000, "10:00"],
])("%i milliseconds are %s", (milliseconds, text) => {
  expect(clock(milliseconds)).toBe(text);
});
