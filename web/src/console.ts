/** What every page of the console needs: the API, and the session of whoever is signed in. */

import { type Api, apiAt } from "./api/client";
import { type Config, Session } from "./session";

export let session: Session;
export let api: Api;

/** Ask the origin where to sign in, and take up the session; returns the address to show after a sign-in. */
export const begin = async (): Promise<string | null> => {
  const answer = await fetch("/config.json");
  session = new Session((await answer.json()) as Config);
  api = apiAt(`${location.origin}/api`, session.token);
  return session.resume();
};
