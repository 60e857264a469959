/** A text with what was asked for marked in it. */

import { type Found, pieces } from "./found";
import "./search.css";

export const Excerpt = ({ of }: { of: Found["excerpt"] }) => (
  <>
    {pieces(of).map(([piece, asked], position) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
      asked ? <mark key={position}>{piece}</mark> : <span key={position}>{piece}</span>,
    )}
  </>
);

/** What a thing is called, marked too where its title was asked for. */
export const Name = ({ of, name }: { of: Found; name: string }) =>
  of.title.text ? <Excerpt of={of.title} /> : <span>{name}</span>;
