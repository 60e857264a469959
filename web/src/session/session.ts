/** Who is signed in, in this tab and in the others of this browser. */

import { signal } from "@preact/signals";
import { Tabs } from "./tabs";
import { isSame, keep, kept, left, type Person, personOf, SIGNED_IN, type Tokens } from "./tokens";

export type { Person } from "./tokens";

/** What the origin tells the page in /config.json. It holds no secret. */
export interface Config {
  clientId: string;
  signInUrl: string;
  /** Whether there is a socket. */
  live: boolean;
  /** Whether there is a search. */
  search: boolean;
  /** Whether administrators can break things on purpose. */
  faults: boolean;
  /** What the stage is called. */
  stage: string;
}

/** A token is renewed so long before its end: the socket, which ends with it, is replaced half a minute before. */
const EARLY_SECONDS = 60;

/** The person who is signed in; null if nobody is. */
export const person = signal<Person | null>(null);

/** Only whoever signs in, or stays for longer than a token, needs the library. */
const signing = () => import("./signing");

export class Session {
  readonly #tabs: Tabs;
  #renewal: Promise<void> | undefined;

  constructor(private readonly config: Config) {
    this.#tabs = new Tabs(new BroadcastChannel("session"), kept, (tokens) => this.#told(tokens));
  }

  /** Take up the session of this tab, or of another; returns the address to show if somebody has just signed in. */
  async resume(): Promise<string | null> {
    const back = location.pathname === SIGNED_IN ? await this.#signedIn() : null;
    if (!kept()) keep(await this.#tabs.ask());
    // Without a network, whoever was signed in still is.
    await this.#good().catch(() => undefined);
    this.#show();
    return back;
  }

  /** Leave for the page to sign in, and come back to where we are. */
  async signIn(): Promise<void> {
    const back = location.pathname === SIGNED_IN ? "/" : location.pathname + location.search;
    await (await signing()).leave(this.config, back);
  }

  /** Forget the tokens, in every tab, and end the session at Cognito too. */
  signOut(): void {
    keep(null);
    this.#tabs.tell(null);
    const parameters = new URLSearchParams({ client_id: this.config.clientId, logout_uri: `${location.origin}/` });
    location.assign(`${this.config.signInUrl}/logout?${parameters}`);
  }

  /** A token that is still valid; undefined if nobody is signed in any more. */
  readonly token = async (): Promise<string | undefined> => {
    const tokens = await this.#good();
    this.#show();
    return tokens?.access;
  };

  async #signedIn(): Promise<string> {
    const { tokens, back } = await (await signing()).comeBack(this.config);
    keep(tokens);
    this.#tabs.tell(tokens);
    return back;
  }

  /** Tokens that are still good, renewed if they are about to end; throws UnreachableError. */
  async #good(): Promise<Tokens | null> {
    if (!this.#ends) return kept();
    // Requests that find it so at once wait for one renewal, and so do tabs: a refresh token may be good for one only.
    this.#renewal ??= this.#alone().finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
    return kept();
  }

  /** Whether there are tokens, and they are about to end. */
  get #ends(): boolean {
    const tokens = kept();
    return tokens !== null && left(tokens) < EARLY_SECONDS;
  }

  async #alone(): Promise<void> {
    await navigator.locks.request("renewal", () => this.#renew());
  }

  async #renew(): Promise<void> {
    const old = kept();
    // Another tab may have renewed them while this one waited.
    if (!old || !this.#ends) return;
    try {
      const newer = await (await signing()).renewed(this.config, old);
      // Somebody may have signed out meanwhile: that stays so.
      if (kept()?.access !== old.access || (!newer && left(old) > 0)) return;
      keep(newer);
      if (newer) this.#tabs.tell(newer);
    } catch (error) {
      if (left(old) <= 0) throw error;
    }
  }

  /** Another tab has tokens that are newer, or somebody has signed out there. */
  #told(tokens: Tokens | null): void {
    const mine = kept();
    if (!mine) return;
    if (tokens === null) keep(null);
    // Whoever signed in elsewhere as somebody else does not become that person here.
    else if (isSame(mine, tokens) && tokens.ends > mine.ends) keep(tokens);
    this.#show();
  }

  #show(): void {
    const tokens = kept();
    const shown = tokens && personOf(tokens);
    if (person.peek()?.name !== shown?.name) person.value = shown;
  }
}
