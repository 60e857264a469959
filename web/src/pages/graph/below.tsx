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
import { Exhausted, spelledLabels } from "./walk";

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
