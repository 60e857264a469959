/** Follows what an address answers. */

import type { Live } from "./socket";

export interface Shows<T> {
  value: (value: T) => void;
  error: (error: unknown) => void;
}

/**
 * What an address answers: read when it may have changed, and pushed. A read that began before a push is dropped: the
 * push has what was stored when it was sent, and the read may not have it.
 */
export class Followed<T> {
  #pushes = 0;
  #left = false;
  readonly #leave: (() => void) | undefined;

  constructor(
    live: Pick<Live, "subscribe"> | null,
    address: string,
    private readonly ask: () => Promise<T>,
    private readonly shows: Shows<T>,
  ) {
    this.#leave = live?.subscribe(address, {
      read: () => this.read(),
      answer: (body) => {
        this.#pushes += 1;
        shows.value(body as T);
      },
    });
  }

  read(): void {
    const pushes = this.#pushes;
    const current = () => !this.#left && this.#pushes === pushes;
    this.ask().then(
      (value) => current() && this.shows.value(value),
      (error: unknown) => current() && this.shows.error(error),
    );
  }

  leave(): void {
    this.#left = true;
    this.#leave?.();
  }
}
