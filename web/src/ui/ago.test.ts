import { expect, test } from "vitest";
import { ago } from "./ago";

test.each([
  [-5, "0 s"],
  [900, "1 s"],
  [99_000, "99 s"],
  [120_000, "2 min"],
  [5 * 3_600_000, "5 h"],
  [3 * 86_400_000, "3 days"],
])("%s ms are %s", (milliseconds, text) => {
  expect(ago(milliseconds)).toBe(text);
});
