/**
 * Messages of a room, merged from what was read and what was pushed: each once, in the room's order.
 *
 * Time order is not the order in which messages become visible: one that is stored late sorts before others that were
 * shown already. So each read begins OVERLAP before the newest message that an earlier read has found, whatever was
 * pushed since. A message that becomes visible later than OVERLAP after its `sent_at`, such as an imported one, is
 * only shown if it is pushed, or when the page is loaded again. What was withdrawn stays so: frames and reads that were
 * on their way may still have it.
 */

import type { components } from "../api/schema";

export type Message = components["schemas"]["MessageOut"];
/** What names a message. */
export type Named = Pick<Message, "message_id" | "user" | "sent_at">;

/** Longer than a request may take to store a message, and the index to show it. */
export const OVERLAP = 60_000;

export class Timeline {
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #withdrawn: ReadonlySet<string>;

  private constructor(
    messages: Iterable<readonly [string, Message]>,
    withdrawn: ReadonlySet<string>,
    /** The newest message that a read has found, in milliseconds; null: none has found any. */
    readonly readUntil: number | null,
  ) {
    this.#messages = new Map([...messages].filter(([each]) => !withdrawn.has(each)));
    this.#withdrawn = withdrawn;
  }

  static readonly empty = new Timeline([], new Set(), null);

  /** With messages that were pushed. */
  pushed(messages: readonly Message[]): Timeline {
    return new Timeline(this.#with(messages), this.#withdrawn, this.readUntil);
  }

  /** Without messages that were withdrawn. */
  withdrawn(named: readonly Named[]): Timeline {
    return new Timeline(this.#messages, new Set([...this.#withdrawn, ...named.map(name)]), this.readUntil);
  }

  /** With all messages from `from` on that were there when they were read. */
  read(messages: readonly Message[]): Timeline {
    const newest = Math.max(this.readUntil ?? Number.NEGATIVE_INFINITY, ...messages.map((each) => instant(each)));
    return new Timeline(this.#with(messages), this.#withdrawn, Number.isFinite(newest) ? newest : null);
  }

  /** Where the next read must begin; undefined: at the beginning of the room. */
  get from(): string | undefined {
    return this.readUntil === null ? undefined : new Date(this.readUntil - OVERLAP).toISOString();
  }

  /** The newest first. */
  get newestFirst(): Message[] {
    return [...this.#messages.entries()].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, message]) => message);
  }

  #with(messages: readonly Message[]): Iterable<readonly [string, Message]> {
    return [...this.#messages, ...messages.map((each) => [name(each), each] as const)];
  }
}

const instant = (message: Message): number => Date.parse(message.sent_at);

/** Sorts as the room does; messages of one name are one message. */
const name = ({ sent_at, user, message_id }: Named): string => `${sent_at}\u0000${user}\u0000${message_id}`;
