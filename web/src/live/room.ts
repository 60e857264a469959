/** Follows the messages of a room through lost connections. */

import { segment } from "../api/spelling";
import type { Live } from "./socket";
import { type Message, type Named, Timeline } from "./timeline";

/** All messages of a room from an instant on, or from its beginning, as they are when they are read. */
export type ReadFrom = (from: string | undefined) => Promise<Message[]>;

export class Room {
  #timeline = Timeline.empty;
  /** Whether a read waits until the page has read the newest messages, and it is known where to begin; null: it has. */
  #wanted: boolean | null = false;
  readonly leave: () => void;

  constructor(
    live: Pick<Live, "subscribe"> | null,
    room: string,
    private readonly readFrom: ReadFrom,
    private show: (timeline: Timeline) => void,
  ) {
    const leave = live?.subscribe(`/rooms/${segment(room)}/messages`, {
      read: () => this.#want(),
      added: (items) => this.#change(this.#timeline.pushed(items as Message[])),
      withdrawn: (items) => this.#change(this.#timeline.withdrawn(items as Named[])),
    });
    this.leave = () => {
      this.show = () => undefined;
      leave?.();
    };
  }

  /** Take what the page has read already: the newest messages. */
  begin(messages: readonly Message[]): void {
    this.#change(this.#timeline.read(messages));
    const wanted = this.#wanted;
    this.#wanted = null;
    if (wanted) this.#want();
  }

  /** Read what may have come, as soon as it is known where to begin. */
  #want(): void {
    if (this.#wanted !== null) this.#wanted = true;
    // A read that fails is made up for by the next one, which begins where this one did.
    else void this.#read().catch(() => undefined);
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
