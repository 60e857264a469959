/**
 * The other tabs of this browser: a new one asks them who is signed in, and all learn of renewals and of a sign-out.
 *
 * A channel reaches pages of this origin only, which are this program: the policy of the page lets no other script run.
 * Nothing is stored: tokens end with the last tab, as they did. Storage that all tabs share would outlive them.
 */

import { isTokens, type Tokens } from "./tokens";

type Message = { type: "who" } | { type: "tokens"; tokens: Tokens } | { type: "signed out" };

/** How long a new tab waits for the others. Tabs that the browser has put to sleep don't answer. */
const WAIT_MS = 300;

type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener">;

export class Tabs {
  #answered: ((tokens: Tokens) => void) | undefined;

  /** `mine`: the tokens of this tab; `told`: those of another, or null if somebody has signed out. */
  constructor(
    private readonly channel: Channel,
    private readonly mine: () => Tokens | null,
    private readonly told: (tokens: Tokens | null) => void,
  ) {
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => this.#take(data));
  }

  /** The tokens of another tab; null if none answers. */
  ask(): Promise<Tokens | null> {
    return new Promise((resolve) => {
      const wait = setTimeout(() => resolve(null), WAIT_MS);
      this.#answered = (tokens) => {
        clearTimeout(wait);
        resolve(tokens);
      };
      this.#send({ type: "who" });
    });
  }

  /** Tell the others that tokens were renewed; null: that somebody has signed out. */
  tell(tokens: Tokens | null): void {
    this.#send(tokens ? { type: "tokens", tokens } : { type: "signed out" });
  }

  #take(message: Message): void {
    if (message.type === "who") {
      const mine = this.mine();
      if (mine) this.tell(mine);
    } else if (message.type === "signed out") this.told(null);
    else if (isTokens(message.tokens)) {
      this.#answered?.(message.tokens);
      this.#answered = undefined;
      this.told(message.tokens);
    }
  }

  #send(message: Message): void {
    this.channel.postMessage(message);
  }
}
