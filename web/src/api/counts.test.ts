import { beforeEach, expect, test } from "vitest";
import { counts, forgetCount, hearCount } from "./counts";

const API = "http://localhost:1/api";
const alerts = (count: number, cursor: string | null = null) => ({ alerts: Array(count).fill({}), cursor });

beforeEach(() => {
  counts.value = {};
});

test.each([
  [alerts(3), "3"],
  [alerts(9), "9"],
  [alerts(10), "9+"],
  [alerts(50, "next"), "9+"],
  [alerts(2, "next"), "9+"], // a page may be short, and others follow
  [alerts(0), undefined],
])("of these alerts is said how many there are: %#", (body, said) => {
  hearCount(`${API}/alerts?limit=10`, body);
  expect(counts.value["/alerts"]).toBe(said);
});

test("a later page of a list does not say how many there are", () => {
  hearCount(`${API}/alerts`, alerts(3));
  hearCount(`${API}/alerts?cursor=x`, alerts(1));
  expect(counts.value["/alerts"]).toBe("3");
});

test("the quarantine says how many are left, be it read or a record redriven", () => {
  hearCount(`${API}/quarantine?limit=1`, { records: [{}], count: 2, cursor: "next" });
  expect(counts.value).toEqual({ "/quarantine": "2" });
  hearCount(`${API}/quarantine/shard-1/7/redrive`, { shard: "shard-1", sequence: "7", count: 1 });
  expect(counts.value).toEqual({ "/quarantine": "1" });
  hearCount(`${API}/quarantine`, { records: [], count: 0, cursor: null });
  expect(counts.value).toEqual({});
});

test("nothing is said of what could not be read, nor by answers that count something else", () => {
  hearCount(`${API}/alerts`, alerts(3));
  hearCount(`${API}/recent`, { moved: [], count: 5 });
  hearCount(`${API}/quarantine/shard-1/7`, { shard: "shard-1" });
  forgetCount("/alerts");
  expect(counts.value).toEqual({});
});
