import { expect, test } from "vitest";
import { type Count, type CountOut, compared, counts } from "./counted";

const wrong = (name: string): CountOut["levels"][number]["first_wrong"][number] => ({
  kind: "HOSTS",
  dimensions: [["US"], name],
  stored: { Count: "1" },
  recounted: { Count: "2" },
  recounting: [],
  sources: 1,
  unreadable: 0,
  named: [],
});

/** An answer after so many comparisons, with the wrong ones that its request has found. */
const answer = (number: number, found: string[], cursor: string | null): Count => ({
  body: {
    ...wrong("asked"),
    levels: [{ kind: "HOSTS", compared: number, wrong: 0, first_wrong: found.map(wrong) }],
    differs: null,
    complete: cursor === null,
    equal: false,
    cursor,
  },
  cost: { requests: 10, read: 5, write: 0 },
});

/** An API with these answers, one after the other, and the cursors that it got. */
const answering = (...answers: (Count | Error)[]) => {
  const cursors: (string | undefined)[] = [];
  const ask = async ({ cursor }: { cursor?: string }): Promise<Count> => {
    cursors.push(cursor);
    const next = answers.shift() ?? new Error("asked too often");
    if (next instanceof Error) throw next;
    return next;
  };
  return { ask, cursors };
};
const names = (found: Count) =>
  found.body.levels.flatMap((level) => level.first_wrong.map((each) => each.dimensions[1]));

test("a count goes on until it ends, and tells after each request how far it has come", async () => {
  const { ask, cursors } = answering(answer(3, [], "a"), answer(8, [], "b"), answer(9, [], null));
  const told: number[] = [];
  for await (const found of counts(ask)) told.push(compared(found));
  expect(told).toEqual([3, 8, 9]);
  expect(cursors).toEqual([undefined, "a", "b"]);
});

test("what earlier requests found and took is shown with the last answer", async () => {
  const { ask } = answering(answer(3, ["d1"], "a"), answer(8, [], "b"), answer(9, ["d2"], null));
  let last: Count | undefined;
  for await (const found of counts(ask)) last = found;
  expect(last && names(last)).toEqual(["d1", "d2"]);
  expect(last?.cost).toEqual({ requests: 30, read: 15, write: 0 });
  expect(last?.body.complete).toBe(true);
});

test("a count that can't go on ends, though it is not complete", async () => {
  const { ask, cursors } = answering({
    ...answer(0, [], null),
    body: { ...answer(0, [], null).body, complete: false },
  });
  for await (const _ of counts(ask));
  expect(cursors).toEqual([undefined]);
});

test("after a failure it goes on where it was", async () => {
  const { ask, cursors } = answering(answer(3, ["d1"], "a"), new Error("503"), answer(9, [], null));
  let last: Count | undefined;
  const run = async (before?: Count) => {
    for await (const found of counts(ask, before)) last = found;
  };
  await expect(run()).rejects.toThrow("503");
  await run(last);
  expect(cursors).toEqual([undefined, "a", "a"]);
  expect(last && names(last)).toEqual(["d1"]);
});
