import { expect, test } from "vitest";
import { apiAt, bodyOf } from "./client";
import { pages, renewed } from "./pages";
import { ApiError, UnreachableError } from "./problem";

const ORIGIN = "https://console.example.com/api";

/** The API with these answers, one after the other, and the requests that it got. */
const answering = (...answers: Response[]) => {
  const requests: Request[] = [];
  const send = async (request: RequestInfo | URL): Promise<Response> => {
    requests.push(request as Request);
    const answer = answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return answer;
  };
  return { api: apiAt(ORIGIN, async () => "a-token", send), requests };
};

const page = (ids: string[], cursor: string | null) =>
  Response.json({ messages: ids.map((message_id) => ({ message_id })), cursor });

test("a request has the caller's token, and ids in the spelling of the API", async () => {
  const { api, requests } = answering(page([], null));
  await api.GET("/rooms/{room}/messages", { params: { path: { room: "a/b c" }, query: { order: "desc" } } });
  expect(requests[0]?.url).toBe(`${ORIGIN}/rooms/a~2Fb%20c/messages?order=desc`);
  expect(requests[0]?.headers.get("authorization")).toBe("Bearer a-token");
});

test("problem details are thrown with every field", async () => {
  const errors = [{ field: "to", error: "must be later than from" }];
  const problem = { type: "about:blank", title: "Bad Request", status: 400, detail: "to: too early", errors };
  const { api } = answering(Response.json(problem, { status: 400 }));
  const thrown = await api.GET("/health").catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ApiError);
  expect(thrown).toMatchObject({ status: 400, title: "Bad Request", detail: "to: too early", fields: errors });
});

test("so are the gateway's own messages, and answers that are no JSON", async () => {
  const { api } = answering(
    Response.json({ message: "Unauthorized" }, { status: 401 }),
    new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" }),
  );
  await expect(api.GET("/health")).rejects.toMatchObject({ status: 401, detail: "Unauthorized", fields: [] });
  await expect(api.GET("/health")).rejects.toMatchObject({ status: 502, title: "Bad Gateway", detail: "" });
});

test("no answer is an error of its own", async () => {
  await expect(answering().api.GET("/health")).rejects.toBeInstanceOf(UnreachableError);
});

test("pages follow each other by their cursors, and end with the one that has none", async () => {
  const { api, requests } = answering(page(["1", "2"], "next"), page(["3"], null));
  const found: string[] = [];
  const list = pages((cursor) =>
    bodyOf(api.GET("/rooms/{room}/messages", { params: { path: { room: "a" }, query: { limit: 2, ...cursor } } })),
  );
  for await (const { messages } of list) found.push(...messages.map((each) => each.message_id));
  expect(found).toEqual(["1", "2", "3"]);
  expect(requests.map((each) => new URL(each.url).searchParams.get("cursor"))).toEqual([null, "next"]);
});

test("later pages stay while the first one ends where it ended, whatever its cursor", () => {
  const ends = (of: { name: string }) => of.name;
  const first = { name: "m", cursor: "c1", sum: 1 };
  const [later, again] = [
    { name: "z", cursor: null, sum: 1 },
    { name: "m", cursor: "c2", sum: 2 },
  ];
  expect(renewed([first, later], again, ends)).toEqual([again, later]);
  const shifted = { name: "l", cursor: "c3", sum: 3 };
  expect(renewed([first, later], shifted, ends)).toEqual([shifted]);
  expect(renewed([], first, ends)).toEqual([first]);
  const alone = { name: "m", cursor: null, sum: 4 };
  expect(renewed([first, later], alone, ends)).toEqual([alone]);
});
