import { expect, test } from "vitest";
import { spanned } from "./span";

const HOUR = 3600;
const at = (text: string): number => Date.parse(text) / 1000;

test("an axis with one hour shows the day around it", () => {
  const noon = at("2026-11-24T12:00:00Z");
  // What the chart would show by itself: 86,400,000 seconds.
  const shown = spanned([noon], HOUR, [noon, noon + 86_400_000]);
  expect(shown).toEqual([at("2026-11-24T00:00:00Z"), at("2026-11-25T00:00:00Z")]);
});

test("an axis with one day shows a dozen days before and after it", () => {
  const day = at("2026-11-24T00:00:00Z");
  expect(spanned([day], 24 * HOUR, [day, day + 1])).toEqual([at("2026-11-12T00:00:00Z"), at("2026-12-06T00:00:00Z")]);
});

test("an axis with several shows what is asked for", () => {
  expect(spanned([0, HOUR, 2 * HOUR], HOUR, [HOUR, 2 * HOUR])).toEqual([HOUR, 2 * HOUR]);
  expect(spanned([], HOUR, [1, 2])).toEqual([1, 2]);
});
