import { signal } from "@preact/signals";
import type { ComponentChild, VNode } from "preact";
import { expect, test, vi } from "vitest";
import { ApiError } from "../api/problem";
import { sectionOf } from "../navigation";
import { Connection } from "./connection";
import { Elsewhere, Failure } from "./states";

vi.mock("../console", () => ({ live: { state: signal("open") } }));

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
  expect(shown).not.toContain("button");
  expect(shown).toContain(Elsewhere);
});

test("what has failed for another reason can be tried again", () => {
  for (const error of [refused(503), new TypeError("Failed to fetch")]) {
    const shown = parts(Failure({ error, again: () => undefined }));
    expect(shown).toContain("Try again");
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

test("what does not exist is not live", () => {
  expect(parts(Connection({ of: undefined }))).toContain("Live");
  expect(Connection({ of: refused(404) })).toBeNull();
  expect(parts(Connection({ of: refused(503) }))).toContain("Live");
});
