/** Signing in on Cognito's page, which sends people back with a code (PKCE); and renewing what that gave. */

import { ErrorResponse, InMemoryWebStorage, User, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { UnreachableError } from "../api/problem";
import type { Config } from "./session";
import { SIGNED_IN, type Tokens } from "./tokens";

const users = ({ clientId, signInUrl }: Config): UserManager =>
  new UserManager({
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
    // Tokens are kept elsewhere (tokens.ts); of a sign-in that has begun, this tab knows.
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
  });

/** Leave for the page to sign in, which comes back to an address of ours. */
export const leave = async (config: Config, back: string): Promise<void> => {
  // The library refuses an id token without it: one that was given to another sign-in is worth nothing here.
  await users(config).signinRedirect({ state: back, nonce: crypto.randomUUID() });
};

/** What somebody has come back with, and the address to show; raises what the library refuses. */
export const comeBack = async (config: Config): Promise<{ tokens: Tokens; back: string }> => {
  const user = await users(config).signinCallback();
  if (!user) throw new Error("The sign-in gave no tokens.");
  return { tokens: tokensOf(user), back: typeof user.state === "string" ? user.state : "/" };
};

/** Newer tokens, by the refresh token; null if that has expired too. Throws UnreachableError. */
export const renewed = async (config: Config, old: Tokens): Promise<Tokens | null> => {
  const manager = users(config);
  // The library refuses a token that names another time of sign-in than the one before, as those of the local cloud do,
  // and Cognito's where refresh tokens rotate. So it is not shown the old one, and who it is is compared here.
  const { access: access_token, refresh: refresh_token, ends: expires_at, profile } = old;
  await manager.storeUser(
    new User({
      access_token,
      refresh_token,
      expires_at,
      profile: profile as unknown as User["profile"],
      token_type: "Bearer",
    }),
  );
  try {
    const user = await manager.signinSilent();
    return user && user.profile.sub === old.profile.sub ? tokensOf(user) : null;
  } catch (error) {
    if (error instanceof ErrorResponse) return null;
    throw new UnreachableError("The sign-in can't be renewed: nobody answers.", { cause: error });
  }
};

const tokensOf = ({ access_token, refresh_token, expires_at, profile }: User): Tokens => ({
  access: access_token,
  refresh: refresh_token ?? "",
  ends: expires_at ?? 0,
  profile: { ...profile },
});
