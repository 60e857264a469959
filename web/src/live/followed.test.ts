import { expect, test, vi } from "vitest";
import { BEHIND_MS, Followed } from "./followed";
import type { Subscriber } from "./socket";

/** A socket with one subscriber, and reads that are answered when the test says so. */
const followed = () => {
  let subscriber: Subscriber = { read: () => undefined };
  const shown: unknown[] = [];
  const reads: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = [];
  const live = {
    subscribe: (_: string, each: Subscriber) => {
      subscriber = each;
      return () => shown.push("left");
    },
  };
  const ask = () => new Promise<unknown>((resolve, reject) => reads.push({ resolve, reject }));
  const shows = { value: (value: unknown) => shown.push(value), error: (error: unknown) => shown.push(error) };
  const it = new Followed(live, "/places", ask, shows);
  return { it, reads, shown, push: (body: unknown) => subscriber.answer?.(body), wake: () => subscriber.read() };
};
const settled = () => new Promise((done) => setTimeout(done));

test("what is read and what is pushed is shown", async () => {
  const { it, reads, shown, push, wake } = followed();
  it.read();
  reads[0]?.resolve(1);
  await settled();
  push(2);
  wake();
  reads[1]?.reject("failed");
  await settled();
  expect(shown).toEqual([1, 2, "failed"]);
});

test("a read that began before a push is dropped, whether it succeeds or fails", async () => {
  const { it, reads, shown, push } = followed();
  it.read();
  it.read();
  push("pushed");
  reads[0]?.resolve("older");
  reads[1]?.reject("failed");
  await settled();
  expect(shown).toEqual(["pushed"]);
});

test("a read that began before a faster one is dropped, whether it succeeds or fails", async () => {
  const { it, reads, shown } = followed();
  for (const _ of [0, 1, 2]) it.read();
  reads[1]?.resolve("newer");
  await settled();
  reads[0]?.reject("failed");
  reads[2]?.resolve("newest");
  await settled();
  expect(shown).toEqual(["newer", "newest"]);
});

test("nothing is shown to one that has left", async () => {
  const { it, reads, shown } = followed();
  it.read();
  it.leave();
  reads[0]?.resolve("late");
  await settled();
  expect(shown).toEqual(["left"]);
});

test("numbers that are behind are read again, until they are not, or nobody looks any more", async () => {
  vi.useFakeTimers();
  const { it, reads, push } = followed();
  const answer = async (body: unknown) => {
    reads.at(-1)?.resolve(body);
    await vi.advanceTimersByTimeAsync(BEHIND_MS);
  };
  it.read();
  await answer({ behind: true });
  expect(reads).toHaveLength(2);
  await answer({ as_of: "now" });
  expect(reads).toHaveLength(2);
  push({ behind: true });
  it.leave();
  await vi.advanceTimersByTimeAsync(BEHIND_MS);
  expect(reads).toHaveLength(2);
  vi.useRealTimers();
});
