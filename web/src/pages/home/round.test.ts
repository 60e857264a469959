import { expect, test } from "vitest";
import { after, BEGUN, type Rounds, type Step, ticks as ticksOf, told, verdictOf } from "./round";

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 10, 29, 12, minute, second)).toISOString();
const step = (found: Partial<Step>): Step => ({
  at: at(0),
  compared: 0,
  equal: 0,
  lacking: 0,
  wrong: 0,
  doubted: 0,
  passed: 0,
  shown: [],
  ended: false,
  cursor: "next",
  ...found,
});
const all = (...steps: Partial<Step>[]) => steps.map(step).reduce(after, BEGUN);

const ticks = (of: Rounds, now: number) => ticksOf(of, now).map(([, verdict]) => verdict);

test("nothing is green that was not compared", () => {
  expect(verdictOf(told(BEGUN))).toBeNull();
  expect(verdictOf(told(all({ doubted: 3, passed: 2 })))).toBeNull();
  expect(ticks(all({ doubted: 3 }), Date.parse(at(0)))).toEqual(Array(60).fill(null));
});

test("a round adds up, and the next one begins anew while the last is still told", () => {
  const ended = all({ compared: 2, equal: 2 }, { compared: 3, equal: 3, passed: 1, ended: true });
  expect(told(ended)).toMatchObject({ compared: 5, equal: 5, passed: 1 });
  const next = after(ended, step({ compared: 1, equal: 1 }));
  expect(next.now.compared).toBe(1);
  expect(told(next).compared).toBe(5);
});

test("what goes wrong in a round that goes on is told at once", () => {
  const next = all({ compared: 9, equal: 9, ended: true }, { compared: 2, equal: 1, wrong: 1 });
  expect(verdictOf(told(next))).toBe("wrong");
  expect(told(next)).toMatchObject({ compared: 2, wrong: 1 });
});

test("of each minute the worst is shown, of the last hour only, and nothing of a minute in which nobody looked", () => {
  const found = all(
    { at: at(0), compared: 1, equal: 1 },
    { at: at(1), compared: 1, wrong: 1 },
    { at: at(1, 30), compared: 1, equal: 1 },
    { at: at(3), compared: 1, lacking: 1 },
  );
  const shown = ticks(found, Date.parse(at(3, 59)));
  expect(shown.slice(-4)).toEqual(["equal", "wrong", null, "lacks"]);
  expect(shown.slice(0, -4)).toEqual(Array(56).fill(null));
  expect(ticks(found, Date.parse(at(62))).slice(0, 2)).toEqual(["lacks", null]);
});
