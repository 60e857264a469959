/** What the API says of the proof (functions/systems/proof/models.py), until the types of its document have it. */

import type { Client } from "openapi-fetch";
import type { Told } from "../../api/fresh";

export type Kind =
  | "kill"
  | "lose answer"
  | "poison"
  | "slow"
  | "repeat"
  | "repeat half"
  | "rewind"
  | "lose state"
  | "split";

/** A number by what names it: the count in one cell of an aggregate. */
export interface Named {
  kind: string;
  dimensions: (string | string[])[];
  cell: string;
}

export interface WatchOut {
  id: string;
  since: string;
  until: string;
  plain: boolean;
}

export interface AskedOut {
  id: string;
  kind: string;
  at: string;
  /** Null if any will do. */
  shard: string | null;
}

export interface NumberOut extends Named {
  stored: number;
  expected: number | null;
  difference: number | null;
  lacks: number;
  verdict: "begins" | "equal" | "lacks" | "wrong";
  /** What a plain ADD has added since the watch began, and by how much that differs from what was delivered. */
  plain: { added: number; drift: number } | null;
}

export interface ShardOut {
  shard: string;
  delivered: number;
  again: number;
  at: string;
}

export interface DoneOut {
  id: string;
  kind: string;
  at: string;
  shard: string;
  what: string;
}

export interface ProofOut extends Told {
  at: string;
  kinds: Kind[];
  watchable: string[];
  watch: WatchOut | null;
  slow_until: string | null;
  asked: AskedOut[];
  verdict: "unwatched" | "begins" | "compared";
  /** How many records are in quarantine, if somebody watches. */
  quarantined: number;
  why: string;
  numbers: NumberOut[];
  shards: ShardOut[];
  done: DoneOut[];
  cursor: string | null;
}

interface Answers<T> {
  responses: { 200: { content: { "application/json": T } } };
}

interface Sends<Body> {
  requestBody: { content: { "application/json": Body } };
}

interface Paths {
  "/proof": { get: { parameters: { query?: { cursor?: string } } } & Answers<ProofOut> };
  "/proof/watch": { put: Sends<{ numbers: Named[]; plain: boolean }> & Answers<{ watch: WatchOut }> };
  "/proof/faults": { post: Sends<{ kind: Kind; shard?: string }> & Answers<AskedOut> };
}

export type ProofApi = Client<Paths>;
