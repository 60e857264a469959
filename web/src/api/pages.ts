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

/** The pages of a list whose first page was read again: the later ones stay if they still follow it. */
export const renewed = <P extends Page>(
  before: readonly P[],
  first: P,
  /** What names the last of what a page lists: cursors of the same place differ. */
  last: (page: P) => string,
): readonly P[] => {
  const [old, ...later] = before;
  return old && first.cursor !== null && last(old) === last(first) ? [first, ...later] : [first];
};
