/** Everything below a node, such as a department, and the sums of its aggregates. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import type { Node } from "../../links";
import { address } from "../../router";
import { Asking, Field } from "../../ui/asking";
import { Figures, figure } from "../../ui/figures";
import { storeEdge } from "../../ui/first";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Empty } from "../../ui/states";
import { Table } from "../../ui/table";
import { Exhausted, spelledLabels } from "./walk";

type SubtreeOut = components["schemas"]["SubtreeOut"];

export const Below = ({ node }: { node: Node }) => {
  const { searchParams } = address.value;
  const [label, sum] = [searchParams.get("down") ?? "PARENT_OF", searchParams.get("sum") ?? ""];
  return (
    <section>
      <Asking ask="Sum up">
        <Field label="Label of the edges that lead down" name="down" value={label} required />
        <Field label="Labels to sum up" name="sum" value={sum} placeholder={label} />
      </Asking>
      <Found key={`${label} ${sum}`} node={node} query={{ label, ...(sum && { labels: spelledLabels(sum) }) }} />
    </section>
  );
};

const Found = ({ node: path, query }: { node: Node; query: { label: string; labels?: string } }) => {
  const read = useLoaded("subtree", () =>
    bodyOf(api.GET("/graph/nodes/{type}/{id}/subtree", { params: { path, query } })),
  );
  return (
    <Loading of={read}>
      {(found) =>
        found.below.nodes === 0 ? (
          <Empty first={storeEdge(path, query.label)}>No edge with this label leads down from here.</Empty>
        ) : (
          <Sums of={found} />
        )
      }
    </Loading>
  );
};

const Sums = ({ of: { below, aggregates, budget } }: { of: SubtreeOut }) => {
  const kinds = Object.entries(below.by_type).map(([type, nodes]) => [type, figure(nodes)] as const);
  return (
    <>
      <Figures of={[["Nodes below", figure(below.nodes)], ...kinds, ["Requests", figure(budget.requests)]]} />
      <Exhausted budget={budget} />
      <Table
        name="Sums over all nodes below"
        columns={["Label", "Direction", "Edges", "Weight"]}
        rows={aggregates.map((each) => [
          `${each.direction} ${each.label}`,
          each.label,
          each.direction,
          each.edges,
          each.weight,
        ])}
      />
    </>
  );
};
