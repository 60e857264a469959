/** A server of sockets for tests, in simulated time. */

import type { Frame } from "./socket";

export class FakeSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  /** A socket that is neither open nor closed: nothing arrives any more, and nobody says so. */
  dead = false;
  closed = false;
  readonly asked: { action: string; address?: string }[] = [];

  constructor(
    readonly url: string,
    private readonly heard: (socket: FakeSocket, asked: { action: string; address?: string }) => void,
  ) {}

  send(text: string): void {
    if (this.closed || this.dead) return;
    const asked = JSON.parse(text);
    this.asked.push(asked);
    this.heard(this, asked);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }

  push(frame: Frame): void {
    if (!this.closed && !this.dead) this.onmessage?.({ data: JSON.stringify(frame) });
  }
}
