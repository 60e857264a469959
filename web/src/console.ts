/** What every page of the console needs: the API, what is pushed, and the session of whoever is signed in. */

import { type Api, apiAt, bodyOf } from "./api/client";
import { Live } from "./live/socket";
import { type Config, Session } from "./session/session";

export let session: Session;
export let api: Api;
/** Null where the stage has no push. */
export let live: Live | null = null;
/** Whether the stage has search. */
export let searching = false;
/** Whether administrators can break things on purpose here. */
export let breakable = false;
/** What commands call the stage. */
export let stage = "";

/** Ask the origin where to sign in, and take up the session; returns the address to show after a sign-in. */
export const begin = async (): Promise<string | null> => {
  const answer = await fetch("/config.json");
  const config = (await answer.json()) as Config;
  session = new Session(config);
  api = apiAt(`${location.origin}/api`, session.token);
  searching = config.search;
  breakable = config.faults;
  stage = config.stage;
  if (config.live)
    live = new Live(`${location.origin.replace(/^http/, "ws")}/live`, () => bodyOf(api.POST("/push/tickets", {})));
  return session.resume();
};
