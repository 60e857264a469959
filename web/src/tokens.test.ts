import { describe, expect, test } from "vitest";
import TOKENS from "./tokens.css?raw";

const STYLES = import.meta.glob<string>("./**/*.css", { query: "?raw", import: "default", eager: true });
const PAIRS = new Map(
  [...TOKENS.matchAll(/--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\);/g)].map(([, name, light, dark]) => [
    name as string,
    { light: light as string, dark: dark as string },
  ]),
);

type Scheme = "light" | "dark";

/** The relative luminance of a colour, as WCAG 2.2 defines it. */
const luminance = (hex: string): number => {
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const colour = (name: string, scheme: Scheme): string => {
  const found = PAIRS.get(name)?.[scheme];
  if (!found) throw new Error(`${name} is no token`);
  return found;
};

const contrast = (one: string, other: string, scheme: Scheme): number => {
  const [lighter, darker] = [one, other].map((name) => luminance(colour(name, scheme))).sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
};

const GROUNDS = ["bg", "side", "card", "inset"];
const TEXTS = ["text", "text2", "text3", "accent", "good", "bad", "warn"];
const SERIES = ["series2", "series3", "series4", "series5"];
/** What is read, and on what. */
const READ: readonly (readonly [string, string])[] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
  ...["good", "bad", "warn", "accent"].map((text) => [text, `${text}-soft`] as const),
  ...["text", "text2"].flatMap((text) =>
    ["here", "accent-soft", "good-soft", "warn-soft", "bad-soft"].map((soft) => [text, soft] as const),
  ),
  ["accent", "here"],
  ["on-ink", "ink"],
];
/** What is only seen: edges of fields, lines of charts, the focus. */
const SEEN = [
  ...["control", "accent", ...SERIES].flatMap((each) => ["bg", "card"].map((ground) => [each, ground] as const)),
];

test("the measure is that of WCAG: black on white is 21, and grey 119 on white is the first that is too weak", () => {
  expect((1 + 0.05) / (luminance("000000") + 0.05)).toBeCloseTo(21);
  expect((1 + 0.05) / (luminance("777777") + 0.05)).toBeLessThan(4.5);
  expect((1 + 0.05) / (luminance("767676") + 0.05)).toBeGreaterThan(4.5);
});

test("each colour of the tokens is one of a pair", () => {
  expect(PAIRS.size).toBe([...TOKENS.matchAll(/: light-dark\(#/g)].length);
  expect(PAIRS.size).toBeGreaterThan(25);
});

test("no other style has a colour of its own", () => {
  const coloured = Object.entries(STYLES).filter(
    ([name, text]) => name !== "./tokens.css" && /#[\da-f]{3,8}\b|rgb\(/.test(text),
  );
  expect(coloured.map(([name]) => name)).toEqual([]);
  expect(Object.keys(STYLES).length).toBeGreaterThan(5);
});

test("nothing moves for whoever wants less motion", () => {
  const moving = Object.entries(STYLES).filter(([, text]) =>
    /\b(animation|transition|scroll-behavior)\b/.test(
      // What takes no time moves nothing.
      text.replace(/@media \(prefers-reduced-motion: no-preference\) {\n.*?\n}\n|animation: \w+ 0s .*?;/gs, ""),
    ),
  );
  expect(moving.map(([name]) => name)).toEqual([]);
});

describe.each<Scheme>(["light", "dark"])("%s", (scheme) => {
  test("text can be read", () => {
    expect(READ.filter(([text, ground]) => contrast(text, ground, scheme) < 4.5)).toEqual([]);
  });
  test("controls and lines can be seen", () => {
    expect(SEEN.filter(([each, ground]) => contrast(each, ground, scheme) < 3)).toEqual([]);
  });
});
