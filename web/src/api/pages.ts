/** Lists that are read page by page. */

export interface Page {
  cursor: string | null;
}

/** Every page of a list; the next one is only asked for when it is wanted. */
export async function* pages<P extends Page>(read: (cursor: { cursor?: string }) => Promise<P>): AsyncGenerator<P> {
  let page = await read({});
  yield page;
  while (page.cursor !== null) {
    page = await read({ cursor: page.cursor });
    yield page;
  }
}

/** How the pages of a list tell what they list. */
export interface Order<P> {
  /** What names the last of what a page lists: cursors of the same place differ. */
  last: (page: P) => string;
  /** What of the first page comes after a newer one, which has grown at its beginning; null if that is not known. */
  follows?: (old: P, first: P) => P | null;
}

/**
 * The pages of a list whose first page was read again: the later ones stay if they still follow it. `held`: so does what
 * the first page does not show any more, because the page after it has been asked for.
 */
export const renewed = <P extends Page>(
  before: readonly P[],
  first: P,
  { last, follows }: Order<P>,
  held: boolean,
): readonly P[] => {
  const [old, ...later] = before;
  if (!old || first.cursor === null) return [first];
  if (last(old) === last(first)) return [first, ...later];
  const between = held || later.length > 0 ? follows?.(old, first) : null;
  return between ? [first, between, ...later] : [first];
};
