import { expect, test } from "vitest";
import { aggregateAt, commandFor, dimensionsIn, type KindOut, unnamed } from "./naming";

const DEGREE: KindOut = {
  kind: "DEGREE",
  cells: "edges of a node",
  rank: 3,
  sources: ["GRAPH_EDGE"],
  parts: [
    { name: "of", form: "path" },
    { name: "direction", form: "text" },
  ],
};

test("an address names each part, and is read back", () => {
  const dimensions = [["person", "a/b c"], "out"];
  const address = aggregateAt(DEGREE, dimensions);
  expect(address).toBe("/exactness/DEGREE?of=person%2Fa%7E2Fb+c&direction=out");
  expect(dimensionsIn(DEGREE, new URL(address, "http://x").searchParams)).toEqual(dimensions);
});

test("an address that lacks a part names no aggregate", () => {
  expect(dimensionsIn(DEGREE, new URLSearchParams("of=person/amy"))).toBeNull();
  expect(dimensionsIn(DEGREE, new URLSearchParams("of=&direction=out"))).toBeNull();
});

test("what an address lacks is told", () => {
  expect(unnamed(DEGREE)).toBe("The address names no DEGREE. It needs ?of=…&direction=…");
});

test("the operators' command spells paths as places are spelled", () => {
  expect(commandFor("repair", "PLACE", [["US", "New York"]])).toBe('make redrive DO="repair PLACE US/New%20York"');
});
