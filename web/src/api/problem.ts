/** What went wrong with a request, as the API says it: problem details, or a message of the gateway's own. */

import type { components } from "./schema";

export type FieldProblem = components["schemas"]["FieldProblem"];

/** A refused request. `fields` names every invalid field of it. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    readonly type: string,
    readonly title: string,
    readonly detail: string,
    readonly fields: readonly FieldProblem[],
    /** The group whose members may do what was refused. */
    readonly group?: string,
  ) {
    super(`${status} ${title}: ${detail}`);
  }
}

/** Whether what was asked for does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Whether the same may be answered a little later: the table is busy, a server failed, or nobody answered. */
export const isPassing = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));

/** No answer arrived: the network, or a server that is gone. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** The error that an answer with this status and body stands for. */
export const problemOf = (status: number, statusText: string, body: string): ApiError => {
  const said = parsed(body);
  const title = text(said.title) ?? (statusText || `Status ${status}`);
  const detail = text(said.detail) ?? text(said.message) ?? "";
  return new ApiError(status, text(said.type) ?? "about:blank", title, detail, fieldsOf(said.errors), text(said.group));
};

const parsed = (body: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);

const fieldsOf = (value: unknown): FieldProblem[] =>
  Array.isArray(value)
    ? value.filter((each) => typeof each?.field === "string" && typeof each?.error === "string")
    : [];
