/** Follows what an address answers. */

import { asking, hear, type Told } from "../api/fresh";
import type { Live } from "./socket";

/** Numbers that are behind are read again after so long: when they have come, nothing need have changed. */
export const BEHIND_MS = 10_000;

export interface Shows<T> {
  value: (value: T) => void;
  error: (error: unknown) => void;
}

/**
 * What an address answers: read when it may have changed, and pushed. A read that began before a push, or before a read
 * that was faster, is dropped: it may not have what they have.
 */
export class Followed<T> {
  /** How many reads have begun, and up to which of them what is shown is at least as fresh. */
  #begun = 0;
  #shown = 0;
  #left = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #leave: (() => void) | undefined;

  constructor(
    live: Pick<Live, "subscribe"> | null,
    address: string,
    private readonly ask: () => Promise<T>,
    private readonly shows: Shows<T>,
  ) {
    const page = asking();
    this.#leave = live?.subscribe(address, {
      read: () => this.read(),
      added: () => this.read(),
      withdrawn: () => this.read(),
      answer: (body) => {
        this.#shown = this.#begun;
        hear(page, address, body, Date.now());
        this.#show(body as T);
      },
    });
  }

  read(): void {
    this.#begun += 1;
    const number = this.#begun;
    const show = (what: () => void) => {
      if (this.#left || number <= this.#shown) return;
      this.#shown = number;
      what();
    };
    this.ask().then(
      (value) => show(() => this.#show(value)),
      (error: unknown) => show(() => this.shows.error(error)),
    );
  }

  #show(value: T): void {
    clearTimeout(this.#again);
    if ((value as Told | null)?.behind === true) this.#again = setTimeout(() => this.read(), BEHIND_MS);
    this.shows.value(value);
  }

  leave(): void {
    this.#left = true;
    clearTimeout(this.#again);
    this.#leave?.();
  }
}
