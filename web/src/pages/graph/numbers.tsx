/** The numbers of a node: those that are kept as edges come and go, and those of the last fill. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { segment } from "../../api/spelling";
import { api } from "../../console";
import type { Node } from "../../links";
import { Figures, figure, Instant } from "../../ui/figures";
import { storeEdge } from "../../ui/first";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { Table } from "../../ui/table";
import { NodeLink } from "./edges";

type Summary = components["schemas"]["SummaryOut"];
type Adjacent = components["schemas"]["AdjacentOut"];
type Level = components["schemas"]["LevelOut"];

export const Numbers = ({ of: path }: { of: Node }) => {
  const list = useListed(
    "numbers",
    (cursor) => bodyOf(api.GET("/graph/nodes/{type}/{id}/aggregates", { params: { path, query: cursor } })),
    {
      address: `/graph/nodes/${segment(path.type)}/${segment(path.id)}/aggregates`,
      last: ({ aggregates }) => JSON.stringify([aggregates.at(-1)?.direction, aggregates.at(-1)?.label]),
    },
  );
  const first = list.pages[0];
  return (
    <section>
      <h2>Kept as edges come and go</h2>
      <Listing
        list={list}
        entries={(page) => page.aggregates}
        empty="It has had no edges."
        first={storeEdge(path)}
        more="More labels"
      >
        {(degrees) => (
          <Table
            name="Edges by direction and label"
            columns={["Label", "Direction", "Edges", "Weight", "Changed"]}
            rows={degrees.map((each) => [
              `${each.direction} ${each.label}`,
              each.label,
              each.direction,
              each.edges,
              each.weight,
              <Instant key="changed" at={each.changed_at} />,
            ])}
          />
        )}
      </Listing>
      {first && first.adjacent.length > 0 && <Neighbours of={first.adjacent} />}
      <h2>As of the last fill</h2>
      {first && (first.summary ? <Filled of={first.summary} /> : <Unfilled />)}
    </section>
  );
};

const Neighbours = ({ of }: { of: readonly Adjacent[] }) => (
  <>
    <h2>How its neighbours are</h2>
    <Table
      name="Neighbours by state"
      columns={["Label", "Direction", "States", "Measures", "Changed"]}
      rows={of.map((each) => [
        `${each.direction} ${each.label}`,
        each.label,
        each.direction,
        Object.entries(each.states)
          .map(([state, nodes]) => `${figure(nodes)} ${state}`)
          .join(", "),
        Object.entries(each.measures)
          .map(([name, { sum, mean }]) => `${name.replaceAll("_", " ")} ${figure(sum)}, mean ${figure(mean)}`)
          .join("; "),
        <Instant key="changed" at={each.changed_at} />,
      ])}
    />
  </>
);

const Filled = ({ of }: { of: Summary }) => (
  <Figures
    of={[
      ["PageRank", figure(of.pagerank)],
      ["Nodes connected with it", figure(of.component.nodes)],
      ["First of these", <NodeLink key="component" to={of.component} />],
      ["Two steps away", <Reach key="two" of={of.two_steps} />],
      ["Three steps away", <Reach key="three" of={of.three_steps} />],
      ["As of", <Instant key="as of" at={of.as_of} />],
    ]}
  />
);

const Reach = ({ of }: { of: Level }) => (
  <>
    {of.at_least && "at least "}
    {figure(of.nodes)} nodes, {figure(of.edges)} edges
  </>
);

const Unfilled = () => (
  <p class="about">
    PageRank, components and reach are computed for the whole graph at once. <code>make fill</code> does it; it has not
    seen this node yet.
  </p>
);
