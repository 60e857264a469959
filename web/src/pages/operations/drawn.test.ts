import { expect, test } from "vitest";
import { shown } from "./attributes";
import { collections, type ItemOut, partitionAt } from "./drawn";

const item = (pk: string, sk: string): ItemOut => ({
  pk,
  sk,
  type: null,
  bytes: 1,
  attributes: {},
  hidden: [],
  entries: [],
});

test("items with one partition key are a collection, also where an index mixes partitions", () => {
  const found = collections([item("a", "1"), item("a", "2"), item("b", "1"), item("a", "3")]);
  expect(found.map((each) => each.map(({ pk, sk }) => pk + sk))).toEqual([["a1", "a2"], ["b1"], ["a3"]]);
});

test("addresses hold any key", () => {
  expect(new URL(partitionAt("NODE#a b", "GSI2"), "http://x").searchParams.get("pk")).toBe("NODE#a b");
});

test("bytes are told by their number, everything else as it is", () => {
  expect([{ bytes: 3 }, "a", 1, null, { bytes: 3, more: 1 }].map(shown)).toEqual([
    "3 bytes",
    "a",
    "1",
    "null",
    '{"bytes":3,"more":1}',
  ]);
});
