/** An aggregate counted anew from its stored sources, and the aggregates below it, level by level. */

import { useState } from "preact/hooks";
import { type Costed, costed } from "../../api/cost";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { Consumed } from "../../ui/consumed";
import { figure } from "../../ui/figures";
import { Failure, Waiting } from "../../ui/states";
import { Table } from "../../ui/table";
import { aggregateAt, commandFor, type Dimensions, type KindOut, written } from "./naming";

type CountOut = components["schemas"]["CountOut"];
type ComparedOut = components["schemas"]["ComparedOut"];

interface Props {
  kind: KindOut;
  dimensions: Dimensions;
  kinds: readonly KindOut[];
}

export const Counting = ({ kind, dimensions, kinds }: Props) => {
  const [found, setFound] = useState<Costed<CountOut>>();
  const [error, setError] = useState<unknown>();
  const [waiting, setWaiting] = useState(false);
  const count = async () => {
    setWaiting(true);
    setError(undefined);
    const body = { kind: kind.kind, dimensions: [...dimensions] };
    await costed(api.POST("/aggregates/count", { body })).then(setFound, setError);
    setWaiting(false);
  };
  return (
    <section>
      <h2>Is it right?</h2>
      <p class="about">
        Reads every source once, strongly consistent, then does the same with the aggregates among them, down to what
        people wrote. It takes five seconds at most. A change that is still on its way shows as a difference.
      </p>
      <button type="button" class="primary" onClick={count} disabled={waiting}>
        Count it anew
      </button>
      <div aria-live="polite">
        {waiting && <Waiting />}
        {error ? <Failure error={error} again={count} /> : null}
        {found && !waiting && !error && <Counted of={found} kinds={kinds} dimensions={dimensions} />}
      </div>
    </section>
  );
};

interface CountedProps {
  of: Costed<CountOut>;
  kinds: readonly KindOut[];
  dimensions: Dimensions;
}

const Counted = ({ of: { body, cost }, kinds, dimensions }: CountedProps) => (
  <>
    <p>
      <Verdict of={body} /> {body.unreadable > 0 && `${figure(body.unreadable)} sources can't be read.`}
    </p>
    {!body.complete && (
      <p>
        There was no time for everything. This has ten minutes:{" "}
        <code>{commandFor("recount", body.kind, dimensions)}</code>
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
