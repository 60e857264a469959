import { beforeEach, expect, test, vi } from "vitest";
import { UnreachableError } from "../api/problem";
import { person, Session } from "./session";
import { renewed } from "./signing";
import type { Tokens } from "./tokens";

vi.mock("./signing", () => ({ renewed: vi.fn() }));

const config = {
  clientId: "c",
  signInUrl: "https://sign-in.example",
  live: false,
  search: false,
  faults: false,
  stage: "local",
};
const now = () => Date.now() / 1000;
const amy = (access: string, ends: number): Tokens => ({ access, refresh: "r", ends, profile: { sub: "amy" } });

let kept: string | null;
let hear: (message: unknown) => void;
const said: unknown[] = [];

beforeEach(() => {
  kept = null;
  said.length = 0;
  person.value = null;
  vi.mocked(renewed).mockReset();
  vi.stubGlobal("sessionStorage", {
    getItem: () => kept,
    setItem: (_: string, text: string) => {
      kept = text;
    },
    clear: () => {
      kept = null;
    },
  });
  vi.stubGlobal("location", { pathname: "/", origin: "https://console.example", assign: vi.fn() });
  vi.stubGlobal(
    "BroadcastChannel",
    class {
      addEventListener(_: string, listener: (event: unknown) => void) {
        hear = (data) => listener({ data });
      }
      postMessage(message: unknown) {
        said.push(message);
      }
    },
  );
  vi.stubGlobal("navigator", { locks: { request: (_: string, act: () => unknown) => act() } });
});

const keeping = (tokens: Tokens) => {
  kept = JSON.stringify(tokens);
  return new Session(config);
};

test("a token that is good is not renewed; requests that find one about to end wait for one renewal", async () => {
  const session = keeping(amy("good", now() + 900));
  expect(await session.token()).toBe("good");
  expect(renewed).not.toHaveBeenCalled();
  kept = JSON.stringify(amy("old", now() + 5));
  vi.mocked(renewed).mockResolvedValue(amy("new", now() + 900));
  expect(await Promise.all([session.token(), session.token()])).toEqual(["new", "new"]);
  expect(renewed).toHaveBeenCalledTimes(1);
  expect(said).toEqual([{ type: "tokens", tokens: expect.objectContaining({ access: "new" }) }]);
});

test("what is renewed after somebody has signed out is dropped", async () => {
  const session = keeping(amy("old", now() - 1));
  let give: (tokens: Tokens) => void = () => undefined;
  vi.mocked(renewed).mockReturnValue(
    new Promise((resolve) => {
      give = resolve;
    }),
  );
  const asked = session.token();
  await vi.waitFor(() => expect(renewed).toHaveBeenCalled());
  hear({ type: "signed out" });
  give(amy("new", now() + 900));
  expect(await asked).toBeUndefined();
  expect([kept, person.value]).toEqual([null, null]);
});

test("a tab takes newer tokens of the same person, and of nobody else", async () => {
  const session = keeping(amy("old", now() + 300));
  hear({ type: "tokens", tokens: { ...amy("bobs", now() + 900), profile: { sub: "bob" } } });
  expect(await session.token()).toBe("old");
  hear({ type: "tokens", tokens: amy("new", now() + 900) });
  expect(await session.token()).toBe("new");
  hear({ type: "tokens", tokens: amy("older", now() + 400) });
  expect(await session.token()).toBe("new");
});

test("without a network a token that still holds is used, and one that has ended says so", async () => {
  vi.mocked(renewed).mockRejectedValue(new UnreachableError("nobody"));
  expect(await keeping(amy("old", now() + 5)).token()).toBe("old");
  await expect(keeping(amy("ended", now() - 1)).token()).rejects.toBeInstanceOf(UnreachableError);
  expect(kept).toContain("ended");
});

test("a refresh token that has ended signs out", async () => {
  vi.mocked(renewed).mockResolvedValue(null);
  const session = keeping(amy("ended", now() - 1));
  expect(await session.token()).toBeUndefined();
  expect(kept).toBeNull();
});
