/** How much time an axis shows. */

/** How many hours or days an axis shows before and after the only one. */
const AROUND = 12;

/** What is asked for, in seconds; around a single instant so much that people see when it was. */
export const spanned = (instants: ArrayLike<number>, length: number, asked: [number, number]): [number, number] => {
  const [only] = Array.from(instants);
  return only === undefined || instants.length > 1 ? asked : [only - AROUND * length, only + AROUND * length];
};
