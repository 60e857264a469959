import type { ComponentChild, VNode } from "preact";
import { expect, test, vi } from "vitest";
import { ApiError, isPassing, UnreachableError } from "../api/problem";
import { sectionOf } from "../navigation";
import { pauseAfter, Retry } from "./retry";
import { Elsewhere, Failure } from "./states";

vi.mock("../console", () => ({}));

const refused = (status: number) => new ApiError(status, "about:blank", "Title", "there is no device 'x'", []);

/** The elements and texts that a component shows, as far as other components don't decide it. */
const parts = (of: ComponentChild): unknown[] => {
  if (Array.isArray(of)) return of.flatMap(parts);
  if (typeof of !== "object" || of === null) return [of];
  const { type, props } = of as VNode<{ children?: ComponentChild }>;
  return [type, ...parts(props.children)];
};

test("what does not exist can't be tried again: it is said what is missing, and where to go", () => {
  const shown = parts(Failure({ error: refused(404), again: () => undefined }));
  expect(shown).toContain("there is no device 'x'");
  expect(shown).not.toContain(Retry);
  expect(shown).toContain(Elsewhere);
});

test("what has failed for another reason can be tried again", () => {
  for (const error of [refused(503), new TypeError("Failed to fetch")]) {
    const shown = parts(Failure({ error, again: () => undefined }));
    expect(shown).toContain(Retry);
    expect(shown).not.toContain(Elsewhere);
  }
});

test.each([
  ["/devices/x", "/devices"],
  ["/places/US/x", "/places"],
  ["/graph/person/x", "/graph"],
  ["/records/invoices/x", "/records/invoices"],
  ["/checks/x", "/checks"],
  ["/people/x", "/rooms"],
])("from %s people go on at %s", (path, section) => {
  expect(sectionOf(path).to).toBe(section);
});

test.each([
  [refused(429), true],
  [refused(503), true],
  [new UnreachableError("nobody"), true],
  [refused(400), false],
  [refused(403), false],
  [new TypeError("ours"), false],
])("%s passes: %s", (error, passing) => {
  expect(isPassing(error)).toBe(passing);
});

test("who fails again and again asks ever less often", () => {
  expect([0, 1, 2, 3, 4, 100].map(pauseAfter)).toEqual([5, 10, 20, 40, 40, 40]);
});

test("who lacks a right is told the group, and who gives it", () => {
  const error = new ApiError(403, "about:blank", "Forbidden", "only members of the group 'admin' may", [], "admin");
  const shown = Failure({ error }) as VNode<{ group: string }>;
  expect(shown.props.group).toBe("admin");
  expect(parts(shown)).not.toContain(Retry);
});
