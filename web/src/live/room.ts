/** Follows the messages of a room through lost connections. */

import { segment } from "../api/spelling";
import type { Live } from "./socket";
import { type Message, Timeline } from "./timeline";

/** All messages of a room from an instant on, or from its beginning, as they are when they are read. */
export type ReadFrom = (from: string | undefined) => Promise<Message[]>;

export class Room {
  #timeline = Timeline.empty;
  readonly leave: () => void;

  constructor(
    live: Pick<Live, "subscribe"> | null,
    room: string,
    private readonly readFrom: ReadFrom,
    private show: (timeline: Timeline) => void,
  ) {
    const leave = live?.subscribe(`/rooms/${segment(room)}/messages`, {
      // A read that fails is made up for by the next one, which begins where this one did.
      read: () => void this.#read().catch(() => undefined),
      added: (items) => this.#change(this.#timeline.pushed(items as Message[])),
    });
    this.leave = () => {
      this.show = () => undefined;
      leave?.();
    };
  }

  /** Take what the page has read already: the newest messages. */
  begin(messages: readonly Message[]): void {
    this.#change(this.#timeline.read(messages));
  }

  async #read(): Promise<void> {
    const found = await this.readFrom(this.#timeline.from);
    this.#change(this.#timeline.read(found));
  }

  #change(to: Timeline): void {
    this.#timeline = to;
    this.show(to);
  }
}
