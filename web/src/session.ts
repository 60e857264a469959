/** Who is signed in. People sign in on Cognito's page, which sends them back with a code (PKCE). */

import { signal } from "@preact/signals";
import { ErrorResponse, User, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { UnreachableError } from "./api/problem";

/** What the origin tells the page in /config.json. It holds no secret. */
export interface Config {
  clientId: string;
  signInUrl: string;
  /** Whether there is a socket. */
  live: boolean;
  /** Whether there is a search. */
  search: boolean;
}

export interface Person {
  name: string;
  administrator: boolean;
  /** Whether the person may store orders, audits and the like. */
  writer: boolean;
}

/** infra/sign_in.py has it too: Cognito sends people back to no other address. */
const SIGNED_IN = "/signed-in";

/** A token is renewed so long before its end: the socket, which ends with it, is replaced half a minute before. */
const EARLY_SECONDS = 60;

/** The person who is signed in; null if nobody is. */
export const person = signal<Person | null>(null);

export class Session {
  readonly #users: UserManager;
  #renewal: Promise<User | null> | undefined;

  constructor(private readonly config: Config) {
    const { clientId, signInUrl } = config;
    this.#users = new UserManager({
      authority: signInUrl,
      // Given here, because what Cognito publishes lies on an origin that the page may not call.
      metadata: {
        issuer: signInUrl,
        authorization_endpoint: `${signInUrl}/oauth2/authorize`,
        token_endpoint: `${signInUrl}/oauth2/token`,
      },
      client_id: clientId,
      redirect_uri: location.origin + SIGNED_IN,
      scope: "openid",
      // A token is renewed when one is needed.
      automaticSilentRenew: false,
      // Until the tab is closed: a reload does not ask for the password again.
      userStore: new WebStorageStateStore({ store: sessionStorage }),
      stateStore: new WebStorageStateStore({ store: sessionStorage }),
    });
  }

  /** Take up the session of this tab; returns the address to show if somebody has just signed in. */
  async resume(): Promise<string | null> {
    const back = location.pathname === SIGNED_IN ? await this.#signedIn() : null;
    // Without a network, whoever was signed in still is.
    await this.#renewed().catch(async () => this.#show(await this.#users.getUser()));
    return back;
  }

  /** Leave for the page to sign in, and come back to where we are. */
  async signIn(): Promise<void> {
    const back = location.pathname === SIGNED_IN ? "/" : location.pathname + location.search;
    // The library refuses an id token without it: one that was given to another sign-in is worth nothing here.
    await this.#users.signinRedirect({ state: back, nonce: crypto.randomUUID() });
  }

  /** Forget the tokens, and end the session at Cognito too. */
  async signOut(): Promise<void> {
    await this.#users.removeUser();
    const parameters = new URLSearchParams({ client_id: this.config.clientId, logout_uri: `${location.origin}/` });
    location.assign(`${this.config.signInUrl}/logout?${parameters}`);
  }

  /** A token that is still valid; undefined if nobody is signed in any more. */
  readonly token = async (): Promise<string | undefined> => (await this.#renewed())?.access_token;

  async #signedIn(): Promise<string> {
    const user = await this.#users.signinCallback();
    return typeof user?.state === "string" ? user.state : "/";
  }

  /** The session of this tab, renewed if its token is about to expire; throws UnreachableError. */
  async #renewed(): Promise<User | null> {
    let user = await this.#users.getUser();
    if (user && (user.expires_in ?? 0) < EARLY_SECONDS) {
      // Requests that find it so at once wait for one renewal.
      this.#renewal ??= this.#renew(user).finally(() => {
        this.#renewal = undefined;
      });
      user = await this.#renewal;
    }
    this.#show(user);
    return user;
  }

  /** By the refresh token, which is good for longer; null if that has expired too: then nobody is signed in. */
  async #renew(user: User): Promise<User | null> {
    // The library refuses a token that names another time of sign-in than the one before, as those of the local cloud
    // do, and Cognito's where refresh tokens rotate. So it is not shown the old one, and who it is is compared here.
    const { id_token: _, ...kept } = user;
    await this.#users.storeUser(new User(kept));
    try {
      const renewed = await this.#users.signinSilent();
      if (renewed?.profile.sub === user.profile.sub) return renewed;
    } catch (error) {
      if (!user.expired) return user;
      if (!(error instanceof ErrorResponse))
        throw new UnreachableError("The sign-in can't be renewed: nobody answers.", { cause: error });
    }
    await this.#users.removeUser();
    return null;
  }

  #show(user: User | null): void {
    const groups: unknown = user?.profile["cognito:groups"];
    const isIn = (group: string) => Array.isArray(groups) && groups.includes(group);
    const name = String(user?.profile["cognito:username"] ?? user?.profile.sub);
    if (person.peek()?.name !== (user ? name : undefined))
      person.value = user ? { name, administrator: isIn("admin"), writer: isIn("write") } : null;
  }
}
