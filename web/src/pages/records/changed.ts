/** What is different between two versions: fields of a record, lines of a text. */

export interface Change {
  field: string;
  before: string | null;
  after: string | null;
}

/** The fields whose values differ, in the order of the newer record. */
export const changed = (
  before: Readonly<Record<string, string | null>>,
  after: Readonly<Record<string, string | null>>,
): Change[] =>
  Object.entries(after)
    .filter(([field, value]) => value !== before[field])
    .map(([field, value]) => ({ field, before: before[field] ?? null, after: value }));

/** A line that is in both texts, was taken away, or was added. */
export interface Line {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Above so many pairs of lines, a comparison would keep the page busy: then the whole middle counts as rewritten. */
const MOST_PAIRS = 4_000_000;

/** The fewest lines to take away and to add that make one text the other. */
export const lines = (before: string, after: string): Line[] => {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const start = alike(old, fresh);
  const end = alike(old.slice(start).reverse(), fresh.slice(start).reverse());
  const [taken, put] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  const middle = taken.length * put.length > MOST_PAIRS ? rewritten(taken, put) : compared(taken, put);
  return [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
};

const linesOf = (text: string): string[] => (text === "" ? [] : text.split("\n"));
const marked = (kind: Line["kind"]) => (texts: readonly string[]) => texts.map((text): Line => ({ kind, text }));
const [same, removed, added] = [marked("same"), marked("removed"), marked("added")];
const rewritten = (taken: readonly string[], put: readonly string[]): Line[] => [...removed(taken), ...added(put)];

/** How many lines two texts begin with alike. */
const alike = (one: readonly string[], other: readonly string[]): number => {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count++;
  return count;
};

const compared = (old: readonly string[], fresh: readonly string[]): Line[] => {
  const width = fresh.length + 1;
  const kept = keepable(old, fresh);
  const found: Line[] = [];
  let [row, column] = [0, 0];
  const at = (down: number, right: number) => kept[down * width + right] as number;
  while (row < old.length && column < fresh.length) {
    if (old[row] === fresh[column]) {
      found.push({ kind: "same", text: old[row++] as string });
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      found.push({ kind: "removed", text: old[row++] as string });
    } else {
      found.push({ kind: "added", text: fresh[column++] as string });
    }
  }
  return [...found, ...rewritten(old.slice(row), fresh.slice(column))];
};

/** For each pair of positions: how many lines can be kept from there on. */
const keepable = (old: readonly string[], fresh: readonly string[]): Uint32Array => {
  const width = fresh.length + 1;
  const kept = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      const here = row * width + column;
      const [below, right, both] = [kept[here + width] ?? 0, kept[here + 1] ?? 0, kept[here + width + 1] ?? 0];
      kept[here] = old[row] === fresh[column] ? both + 1 : Math.max(below, right);
    }
  }
  return kept;
};
