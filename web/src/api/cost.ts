/** What a read cost: each answer says so in its headers. */

import { answered } from "./client";

export interface Cost {
  requests: number;
  read: number;
  write: number;
}

export interface Costed<T> {
  body: T;
  cost: Cost;
}

/** The body of an answer that is no error, and what it cost. */
export const costed = async <T>(answer: Promise<{ data?: T; response: Response }>): Promise<Costed<T>> => {
  const { data, response } = await answered(answer);
  return { body: data, cost: costIn(response.headers) };
};

export const costIn = (headers: Headers): Cost => {
  const told = (name: string) => Number(headers.get(`x-consumed-${name}`) ?? 0);
  return { requests: told("requests"), read: told("read-units"), write: told("write-units") };
};

/** The cost of several reads together. */
export const together = (costs: readonly Cost[]): Cost => ({
  requests: costs.reduce((sum, each) => sum + each.requests, 0),
  read: costs.reduce((sum, each) => sum + each.read, 0),
  write: costs.reduce((sum, each) => sum + each.write, 0),
});
