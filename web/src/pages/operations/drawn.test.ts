import { expect, test } from "vitest";
import { shown } from "./attributes";
import { entriesIn, type IndexOut, type ItemOut, neighbours, partitionAt } from "./drawn";

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
  const items = [item("a", "1"), item("a", "2"), item("b", "1"), item("a", "3")];
  const found = neighbours(items, ({ pk }) => pk);
  expect(found.map((each) => each.map(({ pk, sk }) => pk + sk))).toEqual([["a1", "a2"], ["b1"], ["a3"]]);
});

test("entries are by the partitions of the index, numbers as numbers", () => {
  const index: IndexOut = {
    name: "GSI3",
    meaning: "",
    partition_key: "GSI3PK",
    sort_key: "GSI3SK",
    sort_type: "N",
    projected: [],
    families: [],
  };
  const entry = (pk: string, sk: string) => ({ index: "GSI3", pk, sk, why: "" });
  const items = [
    { ...item("p", "1"), entries: [entry("chess", "960")] },
    { ...item("p", "2"), entries: [{ ...entry("chess", "1"), index: "GSI1" }] },
    { ...item("q", "1"), entries: [entry("chess", "1240")] },
    { ...item("r", "1"), entries: [entry("award", "10")] },
  ];
  const sorted = entriesIn(index, items, true).map((of) => of.map(({ item: { pk } }) => pk));
  expect(sorted).toEqual([["r"], ["p", "q"]]);
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
