/** A count of an aggregate that takes several requests, each of which goes on where the one before has ended. */

import { type Cost, type Costed, together } from "../../api/cost";
import type { components } from "../../api/schema";

export type CountOut = components["schemas"]["CountOut"];
type Level = components["schemas"]["CountedLevel"];
export type Count = Costed<CountOut>;
type Ask = (cursor: { cursor?: string }) => Promise<Count>;

/** How many wrong aggregates of a level are shown: as many as one answer has. */
const MOST_TOLD = 10;

/**
 * What a count has found after each request, until it ends or somebody stops it; `before`: what it goes on from.
 * An answer has all numbers, but only those wrong aggregates that its request has found.
 */
export async function* counts(ask: Ask, before?: Count): AsyncGenerator<Count> {
  let found = before;
  do {
    const { body, cost } = await ask(found?.body.cursor ? { cursor: found.body.cursor } : {});
    const levels = body.levels.map((level) => withEarlier(level, found?.body.levels ?? []));
    const costs: Cost[] = found ? [found.cost, cost] : [cost];
    found = { body: { ...body, levels }, cost: together(costs) };
    yield found;
  } while (found.body.cursor !== null);
}

/** How many aggregates a count has compared. */
export const compared = ({ body }: Count): number => body.levels.reduce((sum, each) => sum + each.compared, 0);

const withEarlier = (level: Level, earlier: readonly Level[]): Level => {
  const known = earlier.find((each) => each.kind === level.kind)?.first_wrong ?? [];
  return { ...level, first_wrong: [...known, ...level.first_wrong].slice(0, MOST_TOLD) };
};
