/** The impact of a node: how those are that its edges lead to, and who depends on these. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import type { Node } from "../../links";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Empty } from "../../ui/states";
import { Table } from "../../ui/table";
import { NodeLink } from "./edges";
import { StateOf } from "./states";

type Known = components["schemas"]["NodeOut"] & { depth: number };

const STEPS = 3;
/** Each is read by a request of its own. */
const MOST = 40;

export const Impact = ({ of: start }: { of: Node }) => {
  const read = useLoaded("impact", () => depending(start));
  return (
    <Loading of={read}>
      {(found) =>
        found.nodes.length === 0 ? <Empty>Nothing that has a state depends on it.</Empty> : <Depending of={found} />
      }
    </Loading>
  );
};

interface Found {
  nodes: Known[];
  /** How many were not looked at. */
  more: number;
}

const Depending = ({ of: { nodes, more } }: { of: Found }) => (
  <section>
    <Table
      name="What depends on it"
      columns={["Node", "State", "Steps away"]}
      rows={nodes.map((each) => [
        `${each.type}/${each.id}`,
        <NodeLink key="node" to={each} />,
        <StateOf key="state" of={each} />,
        each.depth,
      ])}
    />
    {more > 0 && <p class="about">{more} more nodes are not shown.</p>}
  </section>
);

/** The nodes with a state that edges lead to within some steps. */
const depending = async (path: Node): Promise<Found> => {
  const query = { depth: STEPS, direction: "out", limit: 1000 } as const;
  const walked = await bodyOf(api.GET("/graph/nodes/{type}/{id}/traverse", { params: { path, query } }));
  const looked = walked.nodes.slice(0, MOST);
  const read = looked.map(async ({ type, id, depth }) => {
    const node = await bodyOf(api.GET("/graph/nodes/{type}/{id}", { params: { path: { type, id } } }));
    return { ...node, depth };
  });
  const nodes = (await Promise.all(read)).filter((each) => each.state !== null);
  return { nodes, more: walked.reached.nodes - looked.length };
};
