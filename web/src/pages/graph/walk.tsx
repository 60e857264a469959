/** A walk: the nodes that can be reached from a node, within a budget. */

import { bodyOf } from "../../api/client";
import type { components, paths } from "../../api/schema";
import { spelled } from "../../api/spelling";
import { api } from "../../console";
import type { Node } from "../../links";
import { address } from "../../router";
import { Asking, Choice, Field } from "../../ui/asking";
import { Figures, figure } from "../../ui/figures";
import { storeEdge } from "../../ui/first";
import { useListed } from "../../ui/listed";
import { Listing, Rows } from "../../ui/listing";
import { NodeLink } from "./edges";

type Question = NonNullable<paths["/graph/nodes/{type}/{id}/traverse"]["get"]["parameters"]["query"]>;
type Traverse = components["schemas"]["TraverseOut"];
type Step = components["schemas"]["StepOut"];
type Spent = components["schemas"]["Spent"];

const DIRECTIONS = [
  ["out", "along the edges"],
  ["in", "against them"],
  ["both", "both ways"],
] as const;

export const Walk = ({ from }: { from: Node }) => {
  const { searchParams } = address.value;
  const asked = (name: string, otherwise = "") => searchParams.get(name) ?? otherwise;
  const [depth, direction, labels] = [asked("depth", "2"), asked("direction", "out"), asked("labels")];
  return (
    <section>
      <Asking ask="Walk">
        <Choice
          label="Steps"
          name="depth"
          value={depth}
          options={["1", "2", "3"].map((each) => [each, each] as const)}
        />
        <Choice label="Direction" name="direction" value={direction} options={DIRECTIONS} />
        <Field label="Labels, separated by commas" name="labels" value={labels} placeholder="all" />
      </Asking>
      <Reached key={`${depth} ${direction} ${labels}`} from={from} query={question(depth, direction, labels)} />
    </section>
  );
};

const question = (depth: string, direction: string, labels: string): Question => ({
  depth: Number(depth),
  direction: direction as NonNullable<Question["direction"]>,
  limit: 100,
  ...(labels && { labels: spelledLabels(labels) }),
});

/** Labels as somebody lists them, in the spelling of the API. */
export const spelledLabels = (listed: string): string =>
  listed
    .split(",")
    .map((each) => spelled(each.trim()))
    .join(",");

const Reached = ({ from: path, query }: { from: Node; query: Question }) => {
  const list = useListed("walk", (cursor) =>
    bodyOf(api.GET("/graph/nodes/{type}/{id}/traverse", { params: { path, query: { ...query, ...cursor } } })),
  );
  const first = list.pages[0];
  return (
    <>
      {first && <Totals of={first} />}
      <Listing
        list={list}
        entries={(page) => page.nodes}
        empty="No edge leads on from here."
        first={storeEdge(path)}
        more="More nodes"
      >
        {(nodes) => (
          <Rows
            of={nodes.map((each) => [
              `${each.type}/${each.id}`,
              <NodeLink key="node" to={each} />,
              <Path key="path" of={each.path} />,
              `${each.depth} ${each.depth === 1 ? "step" : "steps"}`,
            ])}
          />
        )}
      </Listing>
    </>
  );
};

const Totals = ({ of }: { of: Traverse }) => (
  <>
    <Figures
      of={[
        ["Nodes reached", figure(of.reached.nodes)],
        ...Object.entries(of.reached.by_depth).map(
          ([depth, nodes]) => [`${depth} ${depth === "1" ? "step" : "steps"} away`, figure(nodes)] as const,
        ),
        ...of.edges.map(({ label, edges }) => [`Edges ${label}`, figure(edges)] as const),
        ["Requests", figure(of.budget.requests)],
      ]}
    />
    <Exhausted budget={of.budget} />
  </>
);

/** Says so if a walk ended early. */
export const Exhausted = ({ budget }: { budget: Spent }) =>
  budget.exhausted ? (
    <p class="about">
      The walk ended early, after {figure(budget.requests)} requests: {figure(budget.stopped_at?.unexpanded)} nodes were
      not followed any further.
    </p>
  ) : null;

const Path = ({ of }: { of: readonly Step[] }) => (
  <>
    {of.map(({ label, direction, id }, position) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: steps never move
      <span key={position}>
        {direction === "out" ? ` –${label}→ ` : ` ←${label}– `}
        {id}
      </span>
    ))}
  </>
);
