/** What was done, the newest first, as it happened. */

import type { ComponentChildren } from "preact";
import { figure } from "../../ui/figures";
import { Glyph, Icon } from "../../ui/icon";
import { Scrolling } from "../../ui/scrolling";
import { faultOf } from "./faults";
import { clock, type Run } from "./run";

export const Log = ({ of: now, children }: { of: Run | null; children?: ComponentChildren }) => {
  const lines = now ? linesOf(now) : [];
  return (
    <section class="card log">
      <h2>
        What was done to it{" "}
        <small>
          {now &&
            `${figure(now.faults.size)} ${now.faults.size === 1 ? "fault" : "faults"} in ${clock(now.at - now.begun)}`}
        </small>
      </h2>
      <Scrolling kind="lines" name="What was done">
        <ul>
          {lines.map(({ key, at, lane, icon, what }) => (
            <li key={key} class={lane}>
              <span class="at">{clock(at - (now?.begun ?? 0))}</span>
              {icon ? <Glyph path={icon} /> : <Icon name="tick" />}
              <span title={what}>{what}</span>
            </li>
          ))}
          {lines.length === 0 && (
            <li class="none">{children ? "Nothing yet: press a button above, or its key." : "Nothing yet."}</li>
          )}
        </ul>
      </Scrolling>
      {children}
    </section>
  );
};

interface Line {
  key: string;
  at: number;
  lane: string;
  icon?: string;
  what: string;
}

/** What the consumer says was done to it, and what was redriven here. */
const linesOf = ({ done, clicked }: Run): readonly Line[] => {
  const faults = done.map(({ id, kind, at, what }) => {
    const { lane, icon, did } = faultOf(kind);
    return { key: `${id} ${at}`, at: Date.parse(at), lane, icon, what: what || did };
  });
  const redriven = clicked
    .filter(({ act }) => act === "redrive")
    .map(({ at, of = "" }) => ({ key: `${at} ${of}`, at, lane: "good", what: `Redriven: ${of.slice(-END)}` }));
  return [...faults, ...redriven].sort((one, other) => other.at - one.at);
};

const END = 12;
