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
