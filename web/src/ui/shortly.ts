/** Ids, as people read them. */

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An id that says nothing to people is as short as tells it from others here; its page has all of it. */
export const shortly = (id: string): string => (UUID.test(id) ? `${id.slice(0, 8)}…` : id);
