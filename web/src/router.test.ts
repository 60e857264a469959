import { expect, test } from "vitest";
import { matched } from "./router";

test.each([
  ["/", "/", {}],
  ["/rooms", "/rooms", {}],
  ["/rooms/:room", "/rooms/harbour", { room: "harbour" }],
  ["/rooms/:room", "/rooms/hall~2F3", { room: "hall/3" }],
  ["/devices/:device", "/devices/New%20York", { device: "New York" }],
])("%s has the form of %s", (pattern, path, ids) => {
  expect(matched(pattern, path)).toEqual(ids);
});

test.each([
  ["/rooms/:room", "/rooms"],
  ["/rooms/:room", "/rooms/"],
  ["/rooms/:room", "/rooms/a/b"],
  ["/rooms/:room", "/devices/a"],
])("%s has another form than %s", (pattern, path) => {
  expect(matched(pattern, path)).toBeNull();
});
