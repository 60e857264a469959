import { expect, test, vi } from "vitest";
import { ENTRIES } from "../navigation";
import { meaningOf } from "./keys";

vi.mock("../console", () => ({}));

test("a G and the letter of a page lead there; the letter alone has a meaning of its own, or none", () => {
  expect(meaningOf("d", true, false)).toEqual({ to: "/devices" });
  expect(meaningOf("r", true, false)).toEqual({ to: "/rooms" });
  expect(meaningOf("r", false, false)).toBe("reload");
  expect(meaningOf("d", false, false)).toBeNull();
  expect(meaningOf("z", true, true)).toBeNull();
});

test("nobody is led to a page that is for administrators", () => {
  expect(meaningOf("q", true, false)).toBeNull();
  expect(meaningOf("q", true, true)).toEqual({ to: "/quarantine" });
});

test("no two pages have the same letter", () => {
  const keys = ENTRIES.flatMap(({ key }) => key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
});
