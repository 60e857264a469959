import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Tabs } from "./tabs";
import { isTokens, kept, type Tokens } from "./tokens";

const amy: Tokens = { access: "a", refresh: "r", ends: 100, profile: { sub: "amy" } };

/** The channels of some tabs: what one sends all others get, as a browser does it. */
class Channels {
  #all: ((event: MessageEvent) => void)[] = [];

  next() {
    let mine: (event: MessageEvent) => void = () => undefined;
    return {
      addEventListener: (_: string, listener: unknown) => {
        mine = listener as typeof mine;
        this.#all.push(mine);
      },
      postMessage: (data: unknown) => {
        for (const each of this.#all) if (each !== mine) queueMicrotask(() => each({ data } as MessageEvent));
      },
    } as Pick<BroadcastChannel, "postMessage" | "addEventListener">;
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a new tab gets the tokens of another one, and stores nothing by that", async () => {
  const channels = new Channels();
  new Tabs(
    channels.next(),
    () => amy,
    () => undefined,
  );
  const asked = new Tabs(
    channels.next(),
    () => null,
    () => undefined,
  ).ask();
  expect(await asked).toEqual(amy);
});

test("nobody who is signed in, or nobody at all: the new tab waits for a moment, and no longer", async () => {
  const channels = new Channels();
  new Tabs(
    channels.next(),
    () => null,
    () => undefined,
  );
  const asked = new Tabs(
    channels.next(),
    () => null,
    () => undefined,
  ).ask();
  await vi.advanceTimersByTimeAsync(300);
  expect(await asked).toBeNull();
});

test("all other tabs learn of a renewal and of a sign-out", async () => {
  const channels = new Channels();
  const told: (Tokens | null)[] = [];
  const first = new Tabs(
    channels.next(),
    () => amy,
    () => told.push(null, null),
  );
  new Tabs(
    channels.next(),
    () => amy,
    (tokens) => told.push(tokens),
  );
  first.tell({ ...amy, ends: 200 });
  first.tell(null);
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([{ ...amy, ends: 200 }, null]);
});

test("what is no set of tokens is not taken for one", () => {
  for (const wrong of [null, 1, "x", {}, { ...amy, ends: "1" }, { ...amy, profile: null }, { ...amy, profile: {} }])
    expect(isTokens(wrong)).toBe(false);
  expect(isTokens(amy)).toBe(true);
});

test.each([null, "", "{", "[]", '{"access":"a"}'])(
  "what a tab has kept of another release, %s, is nobody's",
  (text) => {
    vi.stubGlobal("sessionStorage", { getItem: () => text });
    expect(kept()).toBeNull();
  },
);
