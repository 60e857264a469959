/** The first nodes by how they are connected. */

import { useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import type { components, paths } from "../../api/schema";
import { segment } from "../../api/spelling";
import { api } from "../../console";
import { useLive } from "../../live/use";
import { address } from "../../router";
import { Asking, Choice, Field } from "../../ui/asking";
import { Bar } from "../../ui/bar";
import { Instant } from "../../ui/figures";
import { fillGraph, storeEdge } from "../../ui/first";
import { Loading } from "../../ui/loading";
import { Empty } from "../../ui/states";
import { Table } from "../../ui/table";
import { NodeLink } from "./edges";

type Question = NonNullable<paths["/graph/rankings/{label}"]["get"]["parameters"]["query"]>;
type RankingOut = components["schemas"]["RankingOut"];
type Measure = NonNullable<Question["measure"]>;

const PAGERANK: Measure = "pagerank";
const MEASURES: readonly (readonly [Measure, string])[] = [
  ["count", "number of edges"],
  ["weight", "sum of weights"],
  [PAGERANK, "PageRank, over all labels"],
];
const DIRECTIONS = [
  ["in", "that point at it"],
  ["out", "that leave it"],
] as const;
const TOP = 20;
/** The API's word for the edges of all labels, over which a PageRank is computed. */
const ALL = "*";

export const Ranking = () => {
  const { searchParams } = address.value;
  const asked = searchParams.get("measure") as Measure | null;
  const [measure, setMeasure] = useState<string>(asked ?? "count");
  const label = searchParams.get("label") ?? "";
  const direction = searchParams.get("direction") === "out" ? "out" : "in";
  return (
    <section>
      <h2>Rankings</h2>
      <Asking ask="Rank" without={["label", "direction", "kind", "way", "text", "to"]}>
        <Choice label="By" name="measure" value={measure} options={MEASURES} onChange={setMeasure} />
        {measure !== PAGERANK && (
          <>
            <Choice label="Edges" name="direction" value={direction} options={DIRECTIONS} />
            <Field label="Label" name="label" value={label} required placeholder="KNOWS" />
          </>
        )}
      </Asking>
      {asked === PAGERANK && <First label={ALL} query={{ measure: asked, top: TOP }} />}
      {asked && asked !== PAGERANK && label && <First label={label} query={{ measure: asked, direction, top: TOP }} />}
    </section>
  );
};

const First = ({ label, query }: { label: string; query: Question }) => {
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const read = useLive(
    `/graph/rankings/${segment(label)}?${asked}`,
    () => bodyOf(api.GET("/graph/rankings/{label}", { params: { path: { label }, query } })),
    { pushed: query.measure !== PAGERANK },
  );
  return (
    <Loading of={read}>
      {(found) =>
        found.nodes.length > 0 ? (
          <Ranked of={found} />
        ) : query.measure === PAGERANK ? (
          <Empty first={fillGraph()}>
            PageRank is computed of the whole graph at once, which has not been done yet.
          </Empty>
        ) : (
          <Empty first={storeEdge(undefined, label)}>No node has such edges.</Empty>
        )
      }
    </Loading>
  );
};

const Ranked = ({ of: { nodes, refilling, as_of } }: { of: RankingOut }) => {
  const most = Math.max(...nodes.map((each) => each.value));
  return (
    <>
      <Table
        name="The first nodes"
        columns={[
          "Node",
          "Rank",
          <span key="share" class="hidden">
            Share
          </span>,
          "Value",
        ]}
        rows={nodes.map((each) => [
          `${each.type}/${each.id}`,
          <NodeLink key="node" to={each} />,
          each.rank,
          <Bar key="share" of={each.value} greatest={most} />,
          each.value,
        ])}
      />
      {as_of && (
        <p class="about">
          As of <Instant at={as_of} />.
        </p>
      )}
      {refilling && <p class="about">Some nodes have lost edges; others that may belong here are being looked for.</p>}
    </>
  );
};
