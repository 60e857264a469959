/** A node: what it is, the graph around it, and what can be asked from it. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import type { Node as Name } from "../../links";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Tabs } from "../../ui/tabs";
import { useTitle } from "../../ui/title";
import { Attributes } from "./attributes";
import { Below } from "./below";
import { EdgeLists } from "./edges";
import { Explored } from "./explored";
import { Impact } from "./impact";
import { Numbers } from "./numbers";
import { Recommended } from "./recommended";
import { StateOf } from "./states";
import { Walk } from "./walk";
import "./graph.css";

type Telling = components["schemas"]["TellingOut"];

export const Node = ({ type, id }: Name) => {
  useTitle(id);
  const node = { type, id };
  const read = useLoaded("node", () => bodyOf(api.GET("/graph/nodes/{type}/{id}", { params: { path: node } })));
  return (
    <>
      <p class="about">
        <a href="/graph">Graph</a> / {type}
      </p>
      <h1>{id}</h1>
      <Loading of={read}>
        {(found) => (
          <>
            <Attributes of={found.attributes} />
            {found.state && (
              <p>
                <StateOf of={found} />
              </p>
            )}
            {found.telling.map((each) => (
              <p key={`${each.direction} ${each.label}`} class="about">
                {told(each)}
              </p>
            ))}
            <Explored start={node} />
            <Tabs
              name="About this node"
              of={[
                ["edges", "Edges", () => <EdgeLists of={node} />],
                ["numbers", "Numbers", () => <Numbers of={node} />],
                ["walk", "Walk", () => <Walk from={node} />],
                ["recommended", "Recommended", () => <Recommended to={node} />],
                ["impact", "Impact", () => <Impact of={node} />],
                ["below", "Below", () => <Below node={node} />],
              ]}
            />
          </>
        )}
      </Loading>
    </>
  );
};

/** A state that has not reached all neighbours yet. */
const told = ({ direction, label, by }: Telling): string => {
  const edges = direction === "out" ? `${label} edges that leave it` : `${label} edges that point at it`;
  const when = by === "stream" ? "It is being told." : "The next fill tells the others.";
  return `Not all neighbours along the ${edges} know this state yet. ${when}`;
};
