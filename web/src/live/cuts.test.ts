/**
 * A client of a room whose connection is cut at random: what it shows in the end is what is stored.
 *
 * The server of this test stores messages that become visible late, loses some of what it pushes, pushes some twice
 * and out of order, and knows of a subscription only a while after it was made, as docs/push.md says.
 */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "./fake";
import { Room } from "./room";
import { Live, REFRESH_EVERY } from "./socket";
import type { Message } from "./timeline";

const SECOND = 1000;
/** A request takes at most ten seconds, and the index shows a message a moment later. */
const LATE = 12 * SECOND;
const SETTLES = 3 * SECOND;

beforeEach(() => vi.useFakeTimers({ now: 1_700_000_000_000 }));
afterEach(() => vi.useRealTimers());

/** Numbers from 0 to 1 that are the same for the same seed. */
const chance = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};

class Server {
  readonly stored: { message: Message; visible: number }[] = [];
  socket: FakeSocket | null = null;
  #knows = Number.POSITIVE_INFINITY;

  constructor(private readonly random: () => number) {}

  open = (url: string): WebSocket => {
    const socket = new FakeSocket(url, (self, { action, address }) => {
      if (action === "ping") self.push({ type: "pong" });
      if (action !== "subscribe" || !address) return;
      this.#knows = Date.now() + this.random() * SETTLES;
      self.push({ type: "subscribed", address, settles_ms: SETTLES });
    });
    this.socket = socket;
    this.#knows = Number.POSITIVE_INFINITY;
    setTimeout(() => !socket.closed && socket.onopen?.(), 50);
    return socket as unknown as WebSocket;
  };

  post(user: string): void {
    const now = Date.now();
    const message = { message_id: `${this.stored.length}`, user, sent_at: new Date(now).toISOString(), text: "" };
    const visible = now + this.random() ** 4 * LATE;
    this.stored.push({ message, visible });
    setTimeout(() => this.#push(message), visible - now + this.random() * SECOND);
  }

  #push(message: Message): void {
    if (Date.now() < this.#knows) return;
    for (let times = this.random() < 0.1 ? 0 : this.random() < 0.1 ? 2 : 1; times > 0; times--)
      this.socket?.push({ type: "added", address: "/rooms/a/messages", items: [message] });
  }

  read = async (from: string | undefined): Promise<Message[]> => {
    await new Promise((done) => setTimeout(done, this.random() * SECOND));
    if (this.random() < 0.1) throw new TypeError("Failed to fetch");
    const found = this.stored.filter((each) => each.visible <= Date.now() && each.message.sent_at >= (from ?? ""));
    const answer = found.map((each) => each.message);
    await new Promise((done) => setTimeout(done, this.random() * SECOND));
    return answer;
  };

  cut(): void {
    if (!this.socket) return;
    if (this.random() < 0.5) this.socket.close();
    else this.socket.dead = true;
  }
}

test.each(Array.from({ length: 40 }, (_, seed) => seed))("cut at random (%i)", async (seed) => {
  const random = chance(seed + 1);
  const server = new Server(random);
  const ends = () => new Date(Date.now() + 20 * 60 * SECOND).toISOString();
  const live = new Live("ws://here/live", async () => ({ ticket: "t", socket_ends_at: ends() }), server.open);
  let shown: Message[] = [];
  const room = new Room(live, "a", server.read, (timeline) => {
    shown = timeline.newestFirst;
  });
  room.begin([]);
  const end = Date.now() + 60 * 60 * SECOND;
  while (Date.now() < end) {
    await vi.advanceTimersByTimeAsync(1 + random() ** 3 * 60 * SECOND);
    if (random() < 0.8) server.post(random() < 0.5 ? "amy" : "bob");
    else if (random() < 0.5) server.cut();
  }
  // Long enough for a dead socket to be noticed, and for a read that fails to be repeated, many times.
  await vi.advanceTimersByTimeAsync(20 * REFRESH_EVERY);
  const names = (messages: readonly Message[]) => messages.map((each) => `${each.sent_at} ${each.message_id}`);
  expect(server.stored.length).toBeGreaterThan(50);
  expect(names(shown).toReversed()).toEqual(names(server.stored.map((each) => each.message)));
  room.leave();
  live.close();
});
