/** Is it exact? How many aggregates were counted anew, what that found, and when. */

import { useState } from "preact/hooks";
import { numberAt } from "../../links";
import { ago } from "../../ui/ago";
import { useEvery } from "../../ui/every";
import { figure } from "../../ui/figures";
import { Icon } from "../../ui/icon";
import { written } from "../operations/naming";
import { rounds, useRolling } from "./rolling";
import { type Sums, ticks, told, verdictOf } from "./round";

const LOOK = { equal: "good", lacks: "warn", wrong: "bad" } as const;

/** `kept`: how many aggregates the last check of the whole table has counted. */
export const Band = ({ kept }: { kept: number | null }) => {
  const error = useRolling();
  const [now, setNow] = useState(Date.now());
  useEvery(1000, () => setNow(Date.now()));
  const of = rounds.value;
  const sums = told(of);
  const verdict = verdictOf(sums);
  return (
    <section class={`band ${verdict ? LOOK[verdict] : ""}`} aria-labelledby="exact">
      <Icon name={verdict === "equal" ? "exact" : verdict ? "quarantine" : "late"} />
      <div class="said">
        <p class="hero">
          {figure(sums.equal)} <small>of {figure(sums.compared)}</small>
        </p>
        <h2 id="exact">aggregates equal a recount{of.at !== null && `, ${ago(now - of.at)} ago`}</h2>
        <Others of={sums} />
        <p class="about">{scope(of.last !== null, kept)}</p>
      </div>
      <div class="hour">
        <Ticks of={ticks(of, now)} />
        <p class="about">
          {error
            ? "The last step failed, and is taken again."
            : of.doubted
              ? `Looked at again: ${figure(of.doubted)} that differed. A change may be on its way.`
              : sums.passed
                ? `${figure(sums.passed)} passed over: too many sources for a glance.`
                : "A bar for each minute of the last hour in which something was compared."}
        </p>
      </div>
      <a class="button" href="/exactness">
        Open a number
      </a>
    </section>
  );
};

const scope = (whole: boolean, kept: number | null): string => {
  const of = kept === null ? "" : `; the last check of the table counted ${figure(kept)}`;
  return whole ? `Everything that is listed, and one below each${of}.` : `A sample so far${of}.`;
};

/** What was compared, and does not equal its recount: each leads to its page. */
const Others = ({ of: { wrong, lacking, shown } }: { of: Sums }) => {
  if (wrong + lacking === 0) return null;
  return (
    <p class="others">
      {wrong > 0 && <strong class="bad">{figure(wrong)} wrong. </strong>}
      {lacking > 0 && (
        <strong class="warn">
          {figure(lacking)} {lacking === 1 ? "says that it lacks" : "say that they lack"} a record.{" "}
        </strong>
      )}
      {shown.map((each) => (
        <a key={JSON.stringify([each.kind, each.dimensions])} href={numberAt(each.kind, each.dimensions)}>
          {each.kind} {each.dimensions.map(written).join(" ")}
        </a>
      ))}
    </p>
  );
};

const WORDS = { equal: "equal", lacks: "lacking", wrong: "wrong" } as const;

const Ticks = ({ of }: { of: ReturnType<typeof ticks> }) => {
  const counts = Map.groupBy(of, ([, each]) => (each ? WORDS[each] : "not compared"));
  const text = [...counts].map(([word, minutes]) => `${minutes.length} ${word}`).join(", ");
  const first = of[0]?.[0] ?? 0;
  return (
    <svg class="ticks" viewBox="0 0 540 30" preserveAspectRatio="none" role="img" aria-label={`Minutes: ${text}`}>
      {of.map(([minute, each]) => (
        <rect
          key={minute}
          class={each ? LOOK[each] : ""}
          x={(minute - first) * 9}
          y={each ? 0 : 13}
          width="6"
          height={each ? 30 : 4}
        />
      ))}
    </svg>
  );
};
