import { expect, test, vi } from "vitest";
import { ENTRIES, entriesFor } from "../navigation";
import { meaningOf } from "./keys";

vi.mock("../console", () => ({}));

const PEOPLE = entriesFor(false, true);
const ADMINISTRATORS = entriesFor(true, true);

test("a G and the letter of a page lead there; the letter alone has a meaning of its own, or none", () => {
  expect(meaningOf("d", true, PEOPLE)).toEqual({ to: "/devices" });
  expect(meaningOf("r", true, PEOPLE)).toEqual({ to: "/rooms" });
  expect(meaningOf("r", false, PEOPLE)).toBe("reload");
  expect(meaningOf("d", false, PEOPLE)).toBeNull();
  expect(meaningOf("z", true, ADMINISTRATORS)).toBeNull();
});

test("a key of the page that is shown comes before its meaning elsewhere, and never after a G", () => {
  const kill = { key: "k", what: "Kill", act: () => undefined };
  expect(meaningOf("k", false, ADMINISTRATORS)).toBe("before");
  expect(meaningOf("k", false, ADMINISTRATORS, [kill])).toBe(kill);
  expect(meaningOf("j", false, ADMINISTRATORS, [kill])).toBe("next");
  expect(meaningOf("d", true, ADMINISTRATORS, [{ ...kill, key: "d" }])).toEqual({ to: "/devices" });
});

test("nobody is led to a page that is for administrators", () => {
  expect(meaningOf("q", true, PEOPLE)).toBeNull();
  expect(meaningOf("q", true, ADMINISTRATORS)).toEqual({ to: "/quarantine" });
});

test("the proof is where things can be broken, and for administrators", () => {
  const proof = (administrator: boolean, faults: boolean) => meaningOf("x", true, entriesFor(administrator, faults));
  expect(proof(true, true)).toEqual({ to: "/proof" });
  expect([proof(true, false), proof(false, true), proof(false, false)]).toEqual([null, null, null]);
});

test("no two pages have the same letter", () => {
  const keys = ENTRIES.flatMap(({ key }) => key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
});
