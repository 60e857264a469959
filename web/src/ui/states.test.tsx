import type { ComponentChild, VNode } from "preact";
import { expect, test, vi } from "vitest";
import { ApiError, isPassing, UnreachableError } from "../api/problem";
import { sectionOf } from "../navigation";
import { Copied } from "./copied";
import type { Listed } from "./listed";
import { Listing } from "./listing";
import { Failed, Loading } from "./loading";
import { pauseAfter, Retry } from "./retry";
import { Elsewhere, Empty, Failure, Waiting } from "./states";

vi.mock("../console", () => ({ stage: "dev" }));

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

const busy = refused(503);
const nothing = () => undefined;

test("what is awaited is a skeleton, and what was read before stays when it can't be read again", () => {
  const shown = (of: { value?: string; error?: unknown; at: number }) =>
    parts(
      Loading({
        of: { value: undefined, error: undefined, waiting: false, reload: nothing, ...of },
        children: (value) => <p>{value}</p>,
      }),
    );
  expect(shown({ at: 0 })[0]).toBe(Waiting);
  expect(shown({ at: 0, error: busy })[0]).toBe(Failed);
  expect(shown({ at: 1, value: "read" })).toContain("read");
  expect(shown({ at: 1, value: "read", error: busy })).toEqual(expect.arrayContaining([Failed, "read"]));
});

test("what failed says how old the rest is, unless nothing was read before", () => {
  const failed = (at: number) => parts(Failed({ of: { error: busy, at, reload: nothing } }));
  expect(failed(Date.parse("2026-11-30T04:05:06Z"))).toContain("As it was read at ");
  expect(failed(0)).toContain(Failure);
  expect(failed(0)).not.toContain("As it was read at ");
  expect(parts(Failed({ of: { error: undefined, at: 1, reload: nothing } }))).toEqual([null]);
});

const FIRST = { what: "Send a reading", request: "curl" };
type Page = { cursor: string | null; names: string[] };

const listing = (of: Partial<Listed<Page>>) =>
  Listing<Page, string>({
    list: { pages: [], error: undefined, at: 0, waiting: false, more: false, next: nothing, reload: nothing, ...of },
    entries: ({ names }) => names,
    empty: "There are none.",
    first: FIRST,
    more: "More",
    children: (names) => names.join(),
  });

test("a list of nothing names what to do first; one that is awaited, failed or goes on does not", () => {
  expect(parts(listing({}))).toContain(Empty);
  for (const of of [{ waiting: true }, { error: busy }, { more: true }])
    expect(parts(listing({ pages: [{ cursor: null, names: [] }], ...of }))).not.toContain(Empty);
});

test("a list that failed keeps its entries", () => {
  const shown = parts(listing({ pages: [{ cursor: null, names: ["a", "b"] }], error: busy, at: 1 }));
  expect(shown).toEqual(expect.arrayContaining([Failed, "a,b"]));
});

test("the first action is said in words and as a request to copy", () => {
  const shown = parts(Empty({ first: FIRST, children: "There are none." }));
  expect(shown).toEqual(expect.arrayContaining(["There are none.", "Send a reading", Copied]));
  expect(parts(Empty({ children: "None: every aggregate is exact." }))).not.toContain(Copied);
});
