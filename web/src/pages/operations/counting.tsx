/** An aggregate counted anew from its stored sources, and the aggregates below it, level by level. */

import { useEffect, useRef, useState } from "preact/hooks";
import { costed } from "../../api/cost";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { Consumed } from "../../ui/consumed";
import { figure } from "../../ui/figures";
import { Failure } from "../../ui/states";
import { Table } from "../../ui/table";
import { type Count, type CountOut, compared, counts } from "./counted";
import { aggregateAt, commandFor, type Dimensions, type KindOut, written } from "./naming";

type ComparedOut = components["schemas"]["ComparedOut"];

interface Props {
  kind: KindOut;
  dimensions: Dimensions;
  kinds: readonly KindOut[];
}

export const Counting = ({ kind, dimensions, kinds }: Props) => {
  const [found, setFound] = useState<Count>();
  const [error, setError] = useState<unknown>();
  const [waiting, setWaiting] = useState(false);
  // What is under way ends when somebody stops it, or leaves the page.
  const under = useRef<AsyncGenerator<Count>>(undefined);
  const stop = () => {
    under.current = undefined;
    setWaiting(false);
  };
  useEffect(
    () => () => {
      under.current = undefined;
    },
    [],
  );
  const count = async (before?: Count) => {
    const mine = counts((cursor) => {
      const body = { kind: kind.kind, dimensions: [...dimensions], ...cursor };
      return costed(api.POST("/aggregates/count", { body }));
    }, before);
    under.current = mine;
    setWaiting(true);
    setError(undefined);
    setFound(before);
    const still = (what: () => void) => under.current === mine && what();
    try {
      for await (const each of mine) {
        still(() => setFound(each));
        if (under.current !== mine) return;
      }
    } catch (problem) {
      still(() => setError(problem));
    }
    still(stop);
  };
  return (
    <section>
      <h2>Is it right?</h2>
      <p class="about">
        Reads every source once, strongly consistent, then does the same with the aggregates among them, down to what
        people wrote: five seconds at a time, until it ends. A change that is still on its way shows as a difference.
      </p>
      {waiting ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button type="button" class="primary" onClick={() => count()}>
          Count it anew
        </button>
      )}
      <div aria-live="polite">
        {waiting && <p role="status">Counting … {found && `${figure(compared(found))} aggregates compared so far.`}</p>}
        {error ? <Failure error={error} again={() => count(found)} /> : null}
        {found && <Counted of={found} kinds={kinds} dimensions={dimensions} />}
        {found?.body.cursor && !waiting && !error && (
          <button type="button" onClick={() => count(found)}>
            Go on
          </button>
        )}
      </div>
    </section>
  );
};

interface CountedProps {
  of: Count;
  kinds: readonly KindOut[];
  dimensions: Dimensions;
}

const Counted = ({ of: { body, cost }, kinds, dimensions }: CountedProps) => (
  <>
    <p>
      <Verdict of={body} /> {body.unreadable > 0 && `${figure(body.unreadable)} sources can't be read.`}
    </p>
    {!body.complete && body.cursor === null && (
      <p>
        A request has no time for it. This has ten minutes: <code>{commandFor("recount", body.kind, dimensions)}</code>
      </p>
    )}
    {body.levels.length > 0 && (
      <Table
        name="Levels"
        columns={["Kind", "Compared", "Wrong"]}
        rows={body.levels.map((each) => [each.kind, each.kind, each.compared, each.wrong])}
      />
    )}
    {body.levels.flatMap((level) =>
      level.first_wrong.map((each) => (
        <Wrong key={JSON.stringify([each.kind, each.dimensions])} of={each} kinds={kinds} />
      )),
    )}
    <Consumed of={cost} />
  </>
);

const Verdict = ({ of }: { of: CountOut }) => {
  if (of.equal) return <strong class="good">Everything equals what its sources say.</strong>;
  if (of.differs) return <strong class="bad">Wrong, from {of.differs} on.</strong>;
  return <strong>Nothing wrong was found so far.</strong>;
};

const Wrong = ({ of, kinds }: { of: ComparedOut; kinds: readonly KindOut[] }) => {
  const kind = kinds.find((each) => each.kind === of.kind);
  const name = `${of.kind} ${of.dimensions.map(written).join(" ")}`;
  const cells = [...new Set([...Object.keys(of.stored), ...Object.keys(of.recounted)])].sort();
  const differing = cells.filter((cell) => of.stored[cell] !== of.recounted[cell]);
  return (
    <article class="difference">
      <h3>{kind ? <a href={aggregateAt(kind, of.dimensions)}>{name}</a> : name}</h3>
      <dl>
        {differing.map((cell) => (
          <div key={cell}>
            <dt>{cell}</dt>
            <dd>
              counted <code>{of.recounted[cell] ?? "nothing"}</code>, stored <code>{of.stored[cell] ?? "nothing"}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p class="about">
        A repair waits for a minute to see that nothing changes, longer than a request may take:{" "}
        <code>{commandFor("repair", of.kind, of.dimensions)}</code>
      </p>
    </article>
  );
};
