/** The API, with the types of its own OpenAPI document. Every refusal is thrown as an ApiError. */

import createClient, { type Client } from "openapi-fetch";
import { hearCount } from "./counts";
import { asking, hear, hearMissing } from "./fresh";
import { isMissing, problemOf, UnreachableError } from "./problem";
import type { paths } from "./schema";
import { segment } from "./spelling";

export type Api = Client<paths>;

/** `token` is asked before each request; without one the request goes out without. */
export const apiAt = (baseUrl: string, token: () => Promise<string | undefined>, send: typeof fetch = fetch): Api => {
  const api = createClient<paths>({ baseUrl, fetch: patiently(send), pathSerializer: spelledPath });
  api.use({
    async onRequest({ request }) {
      const bearer = await token();
      if (bearer) request.headers.set("authorization", `Bearer ${bearer}`);
    },
    async onResponse({ response }) {
      if (!response.ok) throw problemOf(response.status, response.statusText, await response.text());
    },
    onError: ({ error }) => new UnreachableError("The API does not answer.", { cause: error }),
  });
  return api;
};

type Answer<T> = Promise<{ data?: T; response: Response }>;

/** The body of an answer that is no error. What it says of its numbers is said of the page that asked (fresh.ts). */
export const bodyOf = async <T>(answer: Answer<T>): Promise<T> => (await answered(answer)).data;

export const answered = async <T>(answer: Answer<T>): Promise<{ data: T; response: Response }> => {
  const page = asking();
  try {
    const { data, response } = await answer;
    hear(page, response.url, data, Date.now());
    hearCount(response.url, data);
    return { data: data as T, response };
  } catch (error) {
    if (isMissing(error)) hearMissing(page);
    throw error;
  }
};

/** Seconds: nobody looks at a page that shows nothing for longer. */
const PATIENCE = 10;

/** Whoever is told to come again soon does so once. Nothing was done, so that any request may be sent again. */
const patiently =
  (send: typeof fetch) =>
  async (request: Request): Promise<Response> => {
    const again = request.clone();
    const answer = await send(request);
    const seconds = Number(answer.headers.get("retry-after"));
    if (answer.status !== 429 || !(seconds > 0 && seconds <= PATIENCE)) return answer;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    return send(again);
  };

const spelledPath = (path: string, parameters: Record<string, unknown>): string =>
  path.replace(/{(\w+)}/g, (_, name: string) => segment(String(parameters[name])));
