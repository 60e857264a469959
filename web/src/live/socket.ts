/**
 * The socket: subscriptions to addresses of the API, kept through lost connections.
 *
 * What is pushed is a hint, what is read is the truth. So each subscriber is told to read when its subscription has
 * begun (again), once more when the server is sure to know of it, and now and then, because a hint can be lost.
 */

import { type Signal, signal } from "@preact/signals";
import { isMissing } from "../api/problem";

type Problem = { title: string; detail: string };
export type Frame =
  | { type: "subscribed"; address: string; settles_ms: number }
  | { type: "unsubscribed"; address: string }
  | { type: "pong" }
  | { type: "added" | "withdrawn"; address: string; items: unknown[] }
  | { type: "answer"; address: string; read_at: string; body: unknown }
  | { type: "changed"; address: string }
  | { type: "problem"; address: string | null; problem: Problem };

export interface Subscriber {
  /** Something may have changed unseen. */
  read: () => void;
  /** New items of the list at the address. */
  added?: (items: unknown[]) => void;
  /** What names items of the list at the address that were withdrawn. */
  withdrawn?: (items: unknown[]) => void;
  /** What the address answers now. */
  answer?: (body: unknown) => void;
}

/** A ticket for one socket, and when that socket ends. */
export interface Ticket {
  ticket: string;
  socket_ends_at: string;
}

/** `absent`: this stage has no push. */
export type State = "closed" | "opening" | "open" | "absent";

const MINUTE = 60_000;
/** Gateways close a connection on which nothing is sent for ten minutes. */
const PING_EVERY = 4 * MINUTE;
/** Without any frame for so long after a ping, nobody is there. */
const PONG_WITHIN = 20_000;
/** A socket is replaced so long before its end. */
const BEFORE_END = 30_000;
/** How often to read although nothing was said to have changed. */
export const REFRESH_EVERY = 5 * MINUTE;
/** A read is not as fresh as an answer that was just pushed: it waits until none came for so long. */
const QUIET = 5000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** A socket that nobody needs is kept for the next page. */
const KEPT_IDLE = 30_000;
/** So is a subscription, for a page that is shown again: the server may handle what is asked in another order. */
const KEPT_SUBSCRIBED = 1000;

interface Entry {
  subscribers: Set<Subscriber>;
  /** Whether the server knows of it. */
  confirmed: boolean;
  /** When the server last sent something of this address. */
  heard: number;
  /** When the last answer was read that it sent. */
  readAt: string;
  timer?: ReturnType<typeof setTimeout>;
  leaving?: ReturnType<typeof setTimeout>;
}

export class Live {
  readonly state: Signal<State> = signal<State>("closed");
  readonly #entries = new Map<string, Entry>();
  #socket: WebSocket | null = null;
  #failures = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly ticket: () => Promise<Ticket>,
    private readonly open: (url: string) => WebSocket = (url) => new WebSocket(url),
  ) {}

  /** Subscribe to an address; returns what ends the subscription. */
  subscribe(address: string, subscriber: Subscriber): () => void {
    const known = this.#entries.get(address);
    const entry = known ?? { subscribers: new Set(), confirmed: false, heard: 0, readAt: "" };
    entry.subscribers.add(subscriber);
    clearTimeout(entry.leaving);
    clearTimeout(this.#idle);
    if (!known) {
      this.#entries.set(address, entry);
      this.#say("subscribe", address);
    } else if (known.confirmed) subscriber.read();
    if (this.state.peek() === "closed") void this.#connect();
    return () => {
      entry.subscribers.delete(subscriber);
      if (entry.subscribers.size > 0 || this.#entries.get(address) !== entry) return;
      entry.leaving = setTimeout(() => this.#leave(address, entry), KEPT_SUBSCRIBED);
    };
  }

  /** Close the socket and forget all subscriptions. */
  close(): void {
    for (const entry of this.#entries.values()) {
      clearTimeout(entry.timer);
      clearTimeout(entry.leaving);
    }
    this.#entries.clear();
    this.#drop();
    this.state.value = "closed";
  }

  #leave(address: string, entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(address);
    this.#say("unsubscribe", address);
    if (this.#entries.size === 0) this.#idle = setTimeout(() => this.close(), KEPT_IDLE);
  }

  async #connect(): Promise<void> {
    this.state.value = "opening";
    let ticket: Ticket;
    try {
      ticket = await this.ticket();
    } catch (error) {
      if (isMissing(error)) this.state.value = "absent";
      else this.#again();
      return;
    }
    if (this.#entries.size === 0) {
      this.state.value = "closed";
      return;
    }
    const socket = this.open(`${this.url}?ticket=${encodeURIComponent(ticket.ticket)}`);
    this.#socket = socket;
    socket.onopen = () => this.#opened(Date.parse(ticket.socket_ends_at));
    socket.onmessage = (event) => this.#received(JSON.parse(String(event.data)) as Frame);
    socket.onclose = () => this.#socket === socket && this.#again();
  }

  #opened(ends: number): void {
    this.state.value = "open";
    for (const address of this.#entries.keys()) this.#say("subscribe", address);
    // Early, if the next ticket is worth more: one fetched with the same token is not.
    const left = ends - Date.now();
    this.#after(left > 2 * BEFORE_END ? left - BEFORE_END : Math.max(left, BEFORE_END), () => this.#again(0));
    this.#pingLater();
  }

  #pingLater(): void {
    this.#after(PING_EVERY, () => {
      const asked = Date.now();
      this.#say("ping");
      this.#after(PONG_WITHIN, () => {
        if (this.#heard < asked) this.#again(0);
        else this.#pingLater();
      });
    });
  }

  #heard = 0;

  #received(frame: Frame): void {
    this.#heard = Date.now();
    this.#failures = 0;
    const entry = "address" in frame && frame.address !== null ? this.#entries.get(frame.address) : undefined;
    if (!entry) return;
    if (frame.type === "subscribed") {
      entry.confirmed = true;
      this.#tell(entry, (each) => each.read());
      this.#readLater(entry, frame.settles_ms);
      return;
    }
    entry.heard = this.#heard;
    if (frame.type === "added") this.#tell(entry, (each) => each.added?.(frame.items));
    else if (frame.type === "withdrawn") this.#tell(entry, (each) => each.withdrawn?.(frame.items));
    else if (frame.type === "answer") this.#answered(entry, frame.read_at, frame.body);
    else if (frame.type === "changed") this.#tell(entry, (each) => each.read());
  }

  /** Frames may overtake each other: an answer that was read before the last one is dropped. */
  #answered(entry: Entry, readAt: string, body: unknown): void {
    if (readAt < entry.readAt) return;
    entry.readAt = readAt;
    this.#tell(entry, (each) => each.answer?.(body));
  }

  /** Read again when the subscription is sure to be known, and then every few minutes. */
  #readLater(entry: Entry, wait: number): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => {
      const quiet = Date.now() - entry.heard;
      if (quiet < QUIET) {
        this.#readLater(entry, QUIET - quiet);
        return;
      }
      this.#tell(entry, (each) => each.read());
      this.#readLater(entry, REFRESH_EVERY);
    }, wait);
  }

  #tell(entry: Entry, what: (each: Subscriber) => void): void {
    for (const each of [...entry.subscribers]) what(each);
  }

  #say(action: string, address?: string): void {
    if (this.state.peek() === "open") this.#socket?.send(JSON.stringify({ action, address }));
  }

  /** Connect anew: at once where nothing failed, otherwise after pauses that grow and differ between clients. */
  #again(pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures++) * (0.5 + Math.random() / 2)): void {
    this.#drop();
    for (const entry of this.#entries.values()) {
      entry.confirmed = false;
      clearTimeout(entry.timer);
    }
    if (this.#entries.size === 0) {
      this.state.value = "closed";
      return;
    }
    this.state.value = "opening";
    this.#after(pause, () => void this.#connect());
  }

  #drop(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #after(wait: number, what: () => void): void {
    this.#timers.push(setTimeout(what, wait));
  }
}
