/** The spelling of ids in paths, as docs/api.md has it: a gateway would change these characters. */

const escaped = (each: string): string => encodeURIComponent(each).replaceAll("%", "~").replace(/^~$/, "~7E");

/**
 * An id as a parameter spells it within a list: it may be one component of a place, or one label of several. What would
 * be composed when it is read is escaped: of an id that was stored so, and an accent that follows an escape.
 */
export const spelled = (id: string): string => {
  if (/^\.{1,2}$/.test(id)) return id.replaceAll(".", "~2E");
  const plain = id.replace(/[~/%?\uFFFD]/g, escaped);
  return plain === plain.normalize("NFC") ? plain : id.replace(/[~/%?]|[\u0080-\u{10FFFF}]/gu, escaped);
};

/** An id as one segment of a path, of the API and of the console alike. */
export const segment = (id: string): string => encodeURIComponent(spelled(id));

/** The id that a segment spells; a segment that spells none is taken as it is. */
export const unspelled = (spelled: string): string => {
  try {
    return decodeURIComponent(decodeURIComponent(spelled).replaceAll("%", "%25").replaceAll("~", "%"));
  } catch {
    return spelled;
  }
};
