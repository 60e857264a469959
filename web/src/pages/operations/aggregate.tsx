/** One aggregate opened up: its cells, how far it has come in each shard, what waits; and whether it is right. */

import { type Costed, costed } from "../../api/cost";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { address } from "../../router";
import type { Person } from "../../session/session";
import { Consumed } from "../../ui/consumed";
import { Figures, figure, Instant } from "../../ui/figures";
import { Heading } from "../../ui/heading";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Empty, Failure } from "../../ui/states";
import { Table } from "../../ui/table";
import { Counting } from "./counting";
import { useKinds } from "./exactness";
import { type Dimensions, dimensionsIn, type KindOut, unnamed, written } from "./naming";
import "./operations.css";

type AggregateOut = components["schemas"]["AggregateOut"];
type CheckpointOut = components["schemas"]["CheckpointOut"];
type MomentOut = components["schemas"]["MomentOut"];

export const Aggregate = ({ kind: name, who }: { kind: string; who: Person }) => (
  <Loading of={useKinds()}>
    {(kinds) => {
      const kind = kinds.find((each) => each.kind === name);
      const dimensions = kind && dimensionsIn(kind, address.value.searchParams);
      return kind && dimensions ? (
        <Opened key={JSON.stringify(dimensions)} kind={kind} dimensions={dimensions} kinds={kinds} who={who} />
      ) : (
        <>
          <Heading above={["/exactness", "Numbers"]} name={name} />
          <Failure error={new Error(kind ? unnamed(kind) : `There is no kind of aggregates ${name}.`)} />
        </>
      );
    }}
  </Loading>
);

interface Props {
  kind: KindOut;
  dimensions: Dimensions;
  kinds: readonly KindOut[];
  who: Person;
}

const Opened = ({ kind, dimensions, kinds, who }: Props) => {
  const read = useLoaded("aggregate", () =>
    costed(api.GET("/aggregates", { params: { query: { kind: kind.kind, dimensions: JSON.stringify(dimensions) } } })),
  );
  return (
    <>
      <Heading above={["/exactness", "Numbers"]} name={`${kind.kind} ${dimensions.map(written).join(" ")}`}>
        <button type="button" onClick={read.reload} disabled={read.waiting}>
          Reload
        </button>
      </Heading>
      <p class="about">
        It counts {kind.cells}; from {kind.sources.join(", ")}.
      </p>
      <Loading of={read}>{(found) => <Parts of={found} />}</Loading>
      {who.administrator && <Counting kind={kind} dimensions={dimensions} kinds={kinds} />}
    </>
  );
};

const Parts = ({ of: { body, cost } }: { of: Costed<AggregateOut> }) => (
  <>
    <Figures
      of={[
        ["Cells", figure(body.cells.length + body.more_cells)],
        ["Shards absorbed", figure(body.checkpoints.length)],
        ["Further items", figure(body.continuations)],
        ["Stored", body.version === 0 ? "not yet" : "yes"],
        [
          "Lacks",
          body.lacks ? (
            <span key="lacks" class="bad">
              {body.lacks}
            </span>
          ) : (
            <span key="lacks" class="good">
              nothing
            </span>
          ),
        ],
      ]}
    />
    <p class="about">
      It is the item <code>{body.pk}</code> <code>{body.sk}</code>.
    </p>
    <Consumed of={cost} />
    <Cells of={body} />
    <Checkpoints of={body.checkpoints} />
    <Waiting of={body} />
  </>
);

const Cells = ({ of }: { of: AggregateOut }) => (
  <section>
    <h2>Cells</h2>
    {of.cells.length === 0 && <Empty>It counts nothing by itself.</Empty>}
    {of.cells.length > 0 && (
      <Table
        name="Cells"
        columns={["Cell", "Count", "Sum", "Least", "Greatest", "First", "Last", "As stored"]}
        rows={of.cells.map((each) => [
          each.name,
          <code key="name">{each.name}</code>,
          each.count,
          each.sum,
          each.known ? each.least : "being recounted",
          each.greatest,
          <Moment key="first" of={each.first} />,
          <Moment key="last" of={each.last} />,
          <code key="stored">{each.stored}</code>,
        ])}
      />
    )}
    {of.more_cells > 0 && <p class="about">{figure(of.more_cells)} further cells are not shown.</p>}
  </section>
);

const Moment = ({ of }: { of: MomentOut | null }) =>
  of ? (
    <>
      {of.value !== null && `${figure(of.value)}, `}
      <Instant at={of.at} />
    </>
  ) : (
    <>–</>
  );

const Checkpoints = ({ of }: { of: readonly CheckpointOut[] }) => (
  <section>
    <h2>How far it has come</h2>
    <p class="about">
      For each shard of the stream: everything up to this record has been absorbed, and nothing after it. A record that
      comes again is at or before it, and is passed over.
    </p>
    {of.length === 0 ? (
      <Empty>It has absorbed nothing yet.</Empty>
    ) : (
      <Table
        name="Checkpoints"
        columns={["Shard", "Last record", "Made", "Missing: in quarantine"]}
        rows={of.map((each) => [
          each.shard,
          <code key="shard">{each.shard}</code>,
          <code key="sequence">{each.sequence}</code>,
          <Instant key="at" at={each.at} />,
          each.missing.join(", ") || "none",
        ])}
      />
    )}
  </section>
);

const Waiting = ({ of: { waiting, recounting } }: { of: AggregateOut }) => {
  const open = Object.entries(waiting);
  return (
    <section>
      <h2>What waits</h2>
      {open.length + recounting.length === 0 && <Empty>Nothing.</Empty>}
      {open.length > 0 && (
        <>
          <p class="about">
            Another aggregate holds these, and passes them on when its hour closes. Who reads the number adds them
            already.
          </p>
          <Table name="Waiting" columns={["Cell", "Count"]} rows={open.map(([name, count]) => [name, name, count])} />
        </>
      )}
      {recounting.length > 0 && (
        <p>
          Least and greatest are being read again from the sources, because one was removed: {recounting.join(", ")}.
        </p>
      )}
    </section>
  );
};
