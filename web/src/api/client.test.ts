import { expect, test, vi } from "vitest";
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

const refused = (seconds?: string) =>
  Response.json({ detail: "too fast" }, { status: 429, headers: seconds ? { "retry-after": seconds } : {} });

test("who is told to come again soon does so once, not before", async () => {
  vi.useFakeTimers();
  const { api, requests } = answering(refused("3"), page(["1"], null));
  const answer = bodyOf(
    api.POST("/rooms/{room}/messages", { params: { path: { room: "a" } }, body: { messages: [] } }),
  );
  await vi.advanceTimersByTimeAsync(2_999);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await answer).toMatchObject({ cursor: null });
  expect(await Promise.all(requests.map((each) => each.text()))).toEqual(['{"messages":[]}', '{"messages":[]}']);
  expect(requests[1]?.headers.get("authorization")).toBe("Bearer a-token");
  vi.useRealTimers();
});

test.each(["11", undefined])("not after %s seconds", async (seconds) => {
  const { api, requests } = answering(refused(seconds), page([], null));
  await expect(api.GET("/health")).rejects.toMatchObject({ status: 429, detail: "too fast" });
  expect(requests).toHaveLength(1);
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

interface Named {
  names: string;
  cursor: string | null;
}
const named = (names: string, cursor: string | null = `after ${names}`): Named => ({ names, cursor });
const last = ({ names }: Named) => names.slice(-1);

test("later pages stay while the first one ends where it ended, whatever its cursor", () => {
  const [first, later] = [named("am"), named("nz", null)];
  const again = named("abm", "another");
  expect(renewed([first, later], again, { last }, false)).toEqual([again, later]);
  expect(renewed([first, later], named("al"), { last }, false)).toEqual([named("al")]);
  expect(renewed([], first, { last }, false)).toEqual([first]);
  expect(renewed([first, later], named("am", null), { last }, false)).toEqual([named("am", null)]);
});

test("what a growing first page does not show any more stays before later pages, and before one that was asked for", () => {
  // Newest first, by falling letters.
  const follows = (old: Named, first: Named) =>
    old.names.includes(last(first))
      ? { ...old, names: [...old.names].filter((each) => each < last(first)).join("") }
      : null;
  const order = { last, follows };
  const [first, later] = [named("zyx"), named("wvu")];
  const grown = named("~zy");
  expect(renewed([first, later], grown, order, false)).toEqual([grown, { ...first, names: "x" }, later]);
  expect(renewed([first], grown, order, true)).toEqual([grown, { ...first, names: "x" }]);
  // Nobody asked for more than the newest: the list does not grow while it is only looked at.
  expect(renewed([first], grown, order, false)).toEqual([grown]);
  const far = named("}|{");
  expect(renewed([first, later], far, order, false)).toEqual([far]);
});
