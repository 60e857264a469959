/** The edges of a node, those that leave it and those that point at it. */

import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { type Node, nodeAt } from "../../links";
import { figure } from "../../ui/figures";
import { storeEdge } from "../../ui/first";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { Table } from "../../ui/table";
import type { Edge } from "./neighbourhood";
import { StateOf } from "./states";

export const EdgeLists = ({ of }: { of: Node }) => (
  <section class="two">
    <Edges of={of} direction="out" title="Out" empty="No edge leaves it." />
    <Edges of={of} direction="in" title="In" empty="No edge points at it." />
  </section>
);

interface Props {
  of: Node;
  direction: "out" | "in";
  title: string;
  empty: string;
}

const Edges = ({ of: path, direction, title, empty }: Props) => {
  const list = useListed(direction, (cursor) =>
    bodyOf(api.GET("/graph/nodes/{type}/{id}/edges", { params: { path, query: { direction, limit: 20, ...cursor } } })),
  );
  const end = (edge: Edge) => (direction === "out" ? edge.target : edge.source);
  return (
    <section>
      <h2>{title}</h2>
      <Listing
        list={list}
        entries={(page) => page.edges}
        empty={empty}
        first={direction === "out" ? storeEdge(path) : undefined}
        more="More edges"
      >
        {(edges) => (
          <Table
            name={`Edges, ${title.toLowerCase()}`}
            columns={[direction === "out" ? "To" : "From", "Label", "State", "PageRank", "Weight", "Data"]}
            rows={edges.map((edge) => [
              JSON.stringify([end(edge), edge.label]),
              <NodeLink key="end" to={end(edge)} />,
              edge.label,
              <StateOf key="state" of={edge.neighbour} />,
              edge.summary && <span title={`as of ${edge.summary.as_of}`}>{figure(edge.summary.pagerank)}</span>,
              edge.weight,
              Object.keys(edge.data).length > 0 ? <code key="data">{JSON.stringify(edge.data)}</code> : null,
            ])}
          />
        )}
      </Listing>
    </section>
  );
};

/** A node's name, which leads to its page. */
export const NodeLink = ({ to }: { to: Node }) => (
  <>
    <a href={nodeAt(to)}>{to.id}</a> <small>{to.type}</small>
  </>
);
