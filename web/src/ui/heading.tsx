/** The head of a page about one thing: where it belongs, its name, and what can be done with it. */

import type { ComponentChildren } from "preact";
import { useTitle } from "./title";

interface Props {
  /** The page above, and its name. */
  above: readonly [string, string];
  name: string;
  children?: ComponentChildren;
}

export const Heading = ({ above: [to, text], name, children }: Props) => {
  useTitle(name);
  return (
    <>
      <p class="about">
        <a href={to}>{text}</a>
      </p>
      <div class="heading">
        <h1>{name}</h1>
        {children}
      </div>
    </>
  );
};
