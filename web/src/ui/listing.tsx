/** An endless list with everything that it may show instead: that it waits, is empty, or failed. */

import type { ComponentChildren, Key } from "preact";
import type { Page } from "../api/pages";
import type { Listed } from "./listed";
import { Failed } from "./loading";
import { Empty, type First, Waiting } from "./states";

interface Props<P extends Page, T> {
  list: Listed<P>;
  entries: (page: P) => readonly T[];
  /** What is said of an empty list. */
  empty: string;
  /** How the first entry comes about. */
  first?: First | undefined;
  /** What the button says that asks for the next page. */
  more: string;
  children: (entries: readonly T[]) => ComponentChildren;
}

export const Listing = <P extends Page, T>({ list, entries, empty, first, more, children }: Props<P, T>) => {
  const found = list.pages.flatMap(entries);
  return (
    <>
      <Failed of={list} />
      {list.waiting && found.length === 0 ? <Waiting /> : null}
      {!list.waiting && !list.error && !list.more && found.length === 0 ? <Empty first={first}>{empty}</Empty> : null}
      {found.length > 0 && children(found)}
      {list.more && (
        <button type="button" onClick={list.next} disabled={list.waiting}>
          {more}
        </button>
      )}
    </>
  );
};

/** A list in rows: a link, and what is said of it. */
export const Rows = ({ of }: { of: readonly (readonly [Key, ...ComponentChildren[]])[] }) => (
  <ul class="rows">
    {of.map(([key, ...cells]) => (
      <li key={key}>
        {cells.map((cell, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
          <span key={column}>{cell}</span>
        ))}
      </li>
    ))}
  </ul>
);
