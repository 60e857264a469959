import type { ComponentChild, VNode } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, hear } from "../api/fresh";
import { Banner } from "../ui/states";
import { Doubts } from "./freshness";

vi.mock("../console", () => ({ live: null, stage: "dev" }));

const AT = Date.parse("2026-11-30T04:05:06Z");

beforeEach(() => {
  vi.setSystemTime(AT);
  vi.stubGlobal("location", { pathname: "/rooms/harbour" });
  begin("/somewhere-else");
});

afterEach(() => {
  vi.useRealTimers();
});

/** What is said of a page of which answers said this; null for no banner. */
const said = (answers: readonly object[], administrator = true): ComponentChild[] | null => {
  answers.forEach((each, number) => {
    hear("/rooms/harbour", `/${number}`, each, AT);
  });
  const banner = Doubts({ administrator }) as VNode<{ children: ComponentChild[] | ComponentChild }> | null;
  if (!banner) return null;
  expect(banner.type).toBe(Banner);
  return [banner.props.children].flat() as ComponentChild[];
};

test("numbers that are complete need no banner", () => {
  expect(said([{ as_of: "2026-11-30T04:05:00Z" }, { rooms: [] }])).toBeNull();
});

test("the answer that is furthest behind says until when the page is exact", () => {
  const answers = [{ as_of: "2026-11-30T04:05:00Z" }, { as_of: "2026-11-30T04:01:02Z", behind: true }];
  expect(said(answers)?.join("")).toContain("exact until 04:01:02;");
});

test("a time of another day is said with its day", () => {
  expect(said([{ as_of: "2026-11-29T04:01:02Z", behind: true }])?.join("")).toContain("until 29 Nov 2026, 04:01:02;");
});

test("behind nobody knows how far is no promise", () => {
  expect(said([{ behind: true }])?.join("")).toContain("nobody knows yet since when");
});

test("a lacking record comes before being behind, and leads those there who may look at it", () => {
  const answers = [{ behind: true }, { incomplete: true, as_of: "2026-11-30T04:05:00Z" }];
  const link = (administrator: boolean) =>
    said(answers, administrator)?.some((each) => (each as VNode<{ href?: string }>)?.props?.href === "/quarantine");
  expect(said(answers)?.join("")).toContain("lacks a record");
  expect([link(true), link(false)]).toEqual([true, false]);
});
