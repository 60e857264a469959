/** The likely next neighbours of a node: those with which it has neighbours in common. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import type { Node } from "../../links";
import { address } from "../../router";
import { Asking, Field } from "../../ui/asking";
import { Instant } from "../../ui/figures";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Empty } from "../../ui/states";
import { Table } from "../../ui/table";
import { NodeLink } from "./edges";
import { Exhausted } from "./walk";

type RecommendationsOut = components["schemas"]["RecommendationsOut"];
type Candidate = components["schemas"]["CandidateOut"];

export const Recommended = ({ to }: { to: Node }) => {
  const label = address.value.searchParams.get("label") ?? "";
  return (
    <section>
      <p class="about">
        Nodes that are not its neighbours yet, but share some with it; a shared one with few edges says more
        (Adamic–Adar).
      </p>
      <Asking ask="Recommend">
        <Field label="Label of the edges" name="label" value={label} required placeholder="KNOWS" />
      </Asking>
      {label && <Found key={label} to={to} label={label} />}
    </section>
  );
};

const Found = ({ to: path, label }: { to: Node; label: string }) => {
  const read = useLoaded("recommendations", () =>
    bodyOf(api.GET("/graph/nodes/{type}/{id}/recommendations", { params: { path, query: { label, limit: 20 } } })),
  );
  return <Loading of={read}>{(found) => <Both of={found} />}</Loading>;
};

const Both = ({ of: { recommendations, budget, from_summary: filled } }: { of: RecommendationsOut }) => (
  <>
    {recommendations.length > 0 ? <Candidates of={recommendations} /> : <Empty>It has no neighbours in common.</Empty>}
    <Exhausted budget={budget} />
    {filled && (
      <>
        <h2>
          As of the last fill, <Instant at={filled.as_of} />
        </h2>
        <Candidates of={filled.recommendations} />
      </>
    )}
  </>
);

const Candidates = ({ of }: { of: readonly Candidate[] }) => (
  <Table
    name="Recommended nodes, the best first"
    columns={["Node", "Score", "Neighbours in common"]}
    rows={of.map((each) => [`${each.type}/${each.id}`, <NodeLink key="node" to={each} />, each.score, each.common])}
  />
);
