import { expect, test } from "vitest";
import { type Message, OVERLAP, Timeline } from "./timeline";

const message = (at: number, id: string, user = "amy"): Message => ({
  message_id: id,
  user,
  sent_at: new Date(at).toISOString(),
  text: id,
});
const ids = (timeline: Timeline) => timeline.newestFirst.map((each) => each.message_id);

test("a message that is pushed and read is shown once, in the room's order", () => {
  const [a, b, c] = [message(1000, "a"), message(2000, "b"), message(3000, "c")];
  const timeline = Timeline.empty.read([a, c]).pushed([b, c]).pushed([b]).read([a, b, c]);
  expect(ids(timeline)).toEqual(["c", "b", "a"]);
});

test("a message that was withdrawn is gone, whatever still comes of it", () => {
  const [a, b] = [message(1000, "a"), message(2000, "b")];
  const { text: _, ...named } = a;
  const timeline = Timeline.empty.read([a, b]).withdrawn([named]);
  expect(ids(timeline)).toEqual(["b"]);
  expect(ids(timeline.pushed([a]))).toEqual(["b"]);
  expect(ids(timeline.read([a, b]))).toEqual(["b"]);
});

test("two users may give their messages the same id", () => {
  expect(ids(Timeline.empty.pushed([message(1000, "x", "amy"), message(1000, "x", "bob")]))).toEqual(["x", "x"]);
});

test("the next read begins an overlap before what was read, whatever was pushed since", () => {
  const timeline = Timeline.empty.read([message(1_000_000, "a")]).pushed([message(9_000_000, "b")]);
  expect(timeline.from).toBe(new Date(1_000_000 - OVERLAP).toISOString());
});

test("a read that finds nothing moves nothing", () => {
  expect(Timeline.empty.read([]).from).toBeUndefined();
  const timeline = Timeline.empty.read([message(1_000_000, "a")]);
  expect(timeline.read([]).from).toBe(timeline.from);
});
