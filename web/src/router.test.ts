import { expect, test } from "vitest";
import { asked, matched, within } from "./router";

test.each([
  ["/", "/", {}],
  ["/rooms", "/rooms", {}],
  ["/rooms/:room", "/rooms/harbour", { room: "harbour" }],
  ["/rooms/:room", "/rooms/hall~2F3", { room: "hall/3" }],
  ["/devices/:device", "/devices/New%20York", { device: "New York" }],
  ["/places/*", "/places/US", { rest: "US" }],
  ["/places/*", "/places/US/New%20York/gate~2F7", { rest: "US/New%20York/gate~2F7" }],
])("%s has the form of %s", (pattern, path, ids) => {
  expect(matched(pattern, path)).toEqual(ids);
});

test.each([
  ["/rooms/:room", "/rooms"],
  ["/rooms/:room", "/rooms/"],
  ["/rooms/:room", "/rooms/a/b"],
  ["/rooms/:room", "/devices/a"],
  ["/places/*", "/places/"],
  ["/places/*", "/rooms/US"],
])("%s has another form than %s", (pattern, path) => {
  expect(matched(pattern, path)).toBeNull();
});

test.each([
  ["/graph", { kind: "skill" }, "/graph?kind=skill"],
  ["/graph?kind=skill&text=a", { text: "b/c" }, "/graph?kind=skill&text=b%2Fc"],
  ["/graph?kind=skill", { kind: "" }, "/graph"],
  ["/graph/person/amy?open=a&open=b", { show: "walk" }, "/graph/person/amy?open=a&open=b&show=walk"],
])("%s with other parameters", (from, change, to) => {
  expect(asked(new URL(from, "http://localhost"), change)).toBe(to);
});

test.each(["/", "/rooms?a=b", "//evil.example", "//evil.example/rooms", "/\\evil.example", "///evil.example"])(
  "%s is an address of the page",
  (path) => {
    expect(new URL(within("https://console.example", path)).origin).toBe("https://console.example");
  },
);

test("an address in full stays as it is", () => {
  expect(within("https://console.example", "https://console.example/rooms")).toBe("https://console.example/rooms");
});
