/** Everything below a node, such as a department, and the sums of its aggregates. */

import { bodyOf } from "../../api/client";
import { api } from "../../console";
import type { Node } from "../../links";
import { address } from "../../router";
import { Asking, Field } from "../../ui/asking";
import { Figures, figure } from "../../ui/figures";
import { useLoaded } from "../../ui/loaded";
import { Empty, Failure, Waiting } from "../../ui/states";
import { Table } from "../../ui/table";
import { Exhausted } from "./walk";

export const Below = ({ node }: { node: Node }) => {
  const label = address.value.searchParams.get("down") ?? "PARENT_OF";
  return (
    <section>
      <Asking ask="Sum up">
        <Field label="Label of the edges that lead down" name="down" value={label} required />
      </Asking>
      <Found key={label} node={node} label={label} />
    </section>
  );
};

const Found = ({ node: path, label }: { node: Node; label: string }) => {
  const read = useLoaded("subtree", () =>
    bodyOf(api.GET("/graph/nodes/{type}/{id}/subtree", { params: { path, query: { label } } })),
  );
  if (read.error) return <Failure error={read.error} again={read.reload} />;
  if (!read.value) return <Waiting />;
  const { below, aggregates, budget } = read.value;
  if (below.nodes === 0) return <Empty>No edge with this label leads down from here.</Empty>;
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
