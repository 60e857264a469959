/** Parts of a page of which one is shown: the address says which, so that each can be shared. */

import type { ComponentChildren } from "preact";
import { address, asking } from "../router";
import "./tabs.css";

interface Props {
  name: string;
  /** What the address says, what people read, and what is shown; the first one is shown unless the address says otherwise. */
  of: readonly (readonly [string, string, () => ComponentChildren])[];
}

export const Tabs = ({ name, of }: Props) => {
  const asked = address.value.searchParams.get("show");
  const shown = of.find(([show]) => show === asked) ?? of[0];
  return (
    <>
      <nav class="tabs" aria-label={name}>
        {of.map(([show, text], position) => (
          <a
            key={show}
            href={asking({ show: position === 0 ? "" : show })}
            aria-current={show === shown?.[0] ? "true" : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      {shown?.[2]()}
    </>
  );
};
