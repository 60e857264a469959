import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/problem";
import { FakeSocket } from "./fake";
import { Live, REFRESH_EVERY, type Ticket } from "./socket";

const HOUR = 3_600_000;
let sockets: FakeSocket[];
let answers: (() => Promise<Ticket>)[];

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000_000 });
  sockets = [];
  answers = [];
});
afterEach(() => vi.useRealTimers());

const ticket = async (): Promise<Ticket> => ({
  ticket: `t${sockets.length}`,
  socket_ends_at: new Date(Date.now() + HOUR).toISOString(),
});

/** A client whose server confirms subscriptions and answers pings. */
const client = () =>
  new Live(
    "ws://here/live",
    () => (answers.shift() ?? ticket)(),
    (url) => {
      const socket = new FakeSocket(url, (self, { action, address }) => {
        if (action === "subscribe" && address) self.push({ type: "subscribed", address, settles_ms: 3000 });
        if (action === "ping") self.push({ type: "pong" });
      });
      sockets.push(socket);
      queueMicrotask(() => socket.onopen?.());
      return socket as unknown as WebSocket;
    },
  );
const listener = () => ({ read: vi.fn(), added: vi.fn(), answer: vi.fn() });
const newest = () => sockets.at(-1) as FakeSocket;
const settled = (wait = 0) => vi.advanceTimersByTimeAsync(wait);

test("a subscriber reads when its subscription begins, once more when it is settled, and now and then", async () => {
  const [live, it] = [client(), listener()];
  live.subscribe("/rooms/a", it);
  await settled();
  expect(newest().url).toBe("ws://here/live?ticket=t0");
  expect(it.read).toHaveBeenCalledTimes(1);
  await settled(3000);
  expect(it.read).toHaveBeenCalledTimes(2);
  await settled(REFRESH_EVERY);
  expect(it.read).toHaveBeenCalledTimes(3);
});

test("nothing is read right after a push, which is fresher", async () => {
  const [live, it] = [client(), listener()];
  live.subscribe("/rooms/a", it);
  await settled(2000);
  newest().push({ type: "answer", address: "/rooms/a", read_at: "2026-11-01T06:00:00.000Z", body: { messages: 1 } });
  expect(it.answer).toHaveBeenCalledWith({ messages: 1 });
  await settled(2000);
  expect(it.read).toHaveBeenCalledTimes(1);
  await settled(5000);
  expect(it.read).toHaveBeenCalledTimes(2);
});

test("an answer that was overtaken by a later one is dropped", async () => {
  const [live, it] = [client(), listener()];
  live.subscribe("/rooms/a", it);
  await settled();
  for (const second of [1, 3, 2])
    newest().push({ type: "answer", address: "/rooms/a", read_at: `2026-11-01T06:00:0${second}.000Z`, body: second });
  expect(it.answer.mock.calls).toEqual([[1], [3]]);
});

test("what was withdrawn is told apart from what was added", async () => {
  const live = client();
  const it = { ...listener(), withdrawn: vi.fn() };
  live.subscribe("/rooms/a/messages", it);
  await settled();
  newest().push({ type: "withdrawn", address: "/rooms/a/messages", items: [1] });
  expect(it.withdrawn.mock.calls).toEqual([[[1]]]);
  expect(it.added).not.toHaveBeenCalled();
});

test("frames go to the subscribers of their address, and to nobody after they have left", async () => {
  const [live, one, other] = [client(), listener(), listener()];
  const leave = live.subscribe("/rooms/a/messages", one);
  live.subscribe("/rooms/b/messages", other);
  await settled();
  newest().push({ type: "added", address: "/rooms/a/messages", items: [1] });
  leave();
  newest().push({ type: "added", address: "/rooms/a/messages", items: [2] });
  await settled(1000);
  expect(one.added.mock.calls).toEqual([[[1]]]);
  expect(other.added).not.toHaveBeenCalled();
  expect(newest().asked.at(-1)).toEqual({ action: "unsubscribe", address: "/rooms/a/messages" });
});

test("whoever comes back at once is subscribed still, and reads what may have been missed", async () => {
  const [live, one, other] = [client(), listener(), listener()];
  const leave = live.subscribe("/rooms/a", one);
  await settled();
  leave();
  live.subscribe("/rooms/a", other);
  expect(other.read).toHaveBeenCalledTimes(1);
  await settled(2000);
  expect(newest().asked).toEqual([{ action: "subscribe", address: "/rooms/a" }]);
  newest().push({ type: "answer", address: "/rooms/a", read_at: "2026-11-01T06:00:00.000Z", body: 1 });
  expect([one.answer.mock.calls, other.answer.mock.calls]).toEqual([[], [[1]]]);
});

test("a lost connection is made anew with another ticket, and everything is subscribed to again", async () => {
  const [live, it] = [client(), listener()];
  live.subscribe("/rooms/a", it);
  await settled();
  newest().close();
  expect(live.state.value).toBe("opening");
  await settled(1000);
  expect(sockets.map((each) => each.url)).toEqual(["ws://here/live?ticket=t0", "ws://here/live?ticket=t1"]);
  expect(newest().asked).toEqual([{ action: "subscribe", address: "/rooms/a" }]);
  expect(it.read).toHaveBeenCalledTimes(2);
});

test("a socket that is dead without saying so is replaced after a ping without an answer", async () => {
  const [live, it] = [client(), listener()];
  live.subscribe("/rooms/a", it);
  await settled();
  newest().dead = true;
  await settled(4 * 60_000 + 21_000);
  expect(sockets).toHaveLength(2);
  expect(live.state.value).toBe("open");
});

test("a socket is replaced before its token ends", async () => {
  const [live, it] = [client(), listener()];
  live.subscribe("/rooms/a", it);
  await settled(HOUR - 31_000);
  expect(sockets).toHaveLength(1);
  await settled(2000);
  expect(sockets).toHaveLength(2);
  expect(sockets[0]?.closed).toBe(true);
});

test("a socket is replaced once, and then at its end, by tickets of a token that is not renewed", async () => {
  const [live, it] = [client(), listener()];
  const ends = new Date(Date.now() + HOUR).toISOString();
  answers = Array.from({ length: 50 }, () => async () => ({ ticket: "same", socket_ends_at: ends }));
  live.subscribe("/rooms/a", it);
  await settled(HOUR - 1000);
  expect(sockets).toHaveLength(2);
  await settled(2000);
  expect(sockets).toHaveLength(3);
  // As for a browser whose clock is an hour ahead.
  await settled(5 * 60_000);
  expect(sockets).toHaveLength(13);
});

test("pauses between attempts grow while there are no tickets", async () => {
  const failing = async (): Promise<Ticket> => {
    asked.push(Date.now());
    throw new TypeError("Failed to fetch");
  };
  const asked: number[] = [];
  answers = Array.from({ length: 6 }, () => failing);
  const live = client();
  live.subscribe("/rooms/a", listener());
  await settled(60_000);
  const pauses = asked.slice(1).map((at, n) => at - (asked[n] ?? 0));
  expect(pauses).toHaveLength(5);
  for (const [n, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(250 * 2 ** n);
    expect(pause).toBeLessThanOrEqual(500 * 2 ** n);
  }
  expect(live.state.value).toBe("open");
});

test("where there is no push, nobody asks twice", async () => {
  const absent = vi.fn(async () => {
    throw new ApiError(404, "about:blank", "Not Found", "", []);
  });
  answers = [absent, absent];
  const live = client();
  live.subscribe("/rooms/a", listener());
  live.subscribe("/rooms/b", listener());
  await settled(REFRESH_EVERY);
  expect(absent).toHaveBeenCalledTimes(1);
  expect(live.state.value).toBe("absent");
});

test("a socket that nobody needs is closed", async () => {
  const live = client();
  const leave = live.subscribe("/rooms/a", listener());
  await settled();
  leave();
  await settled(29_000);
  expect(newest().closed).toBe(false);
  await settled(2000);
  expect(newest().closed).toBe(true);
  expect(live.state.value).toBe("closed");
});
