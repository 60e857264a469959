/** What a picture of the graph shows: a node, and what the edges of each opened node lead to. */

import type { components } from "../../api/schema";
import { spelled, unspelled } from "../../api/spelling";
import type { Node } from "../../links";

export type Edge = components["schemas"]["EdgeOut"];

/** The edges that were read of a node; `more` says that it has others. */
export interface Edges {
  edges: readonly Edge[];
  more: boolean;
}

export interface Neighbourhood {
  /** The first is the one where the picture begins. */
  nodes: readonly Node[];
  edges: readonly Edge[];
  /** How many nodes are left out. */
  more: number;
}

/** More than these can't be told apart. */
const MOST = 60;

/** A node as an address spells it, such as person/amy. */
export const nameOf = ({ type, id }: Node): string => `${spelled(type)}/${spelled(id)}`;

/** The node that a name spells. */
export const named = (name: string): Node => {
  const [type = "", id = ""] = name.split("/").map(unspelled);
  return { type, id };
};

/** Everything that the edges of the opened nodes lead to, from the nearest on; nothing that no line leads to. */
export const around = (start: Node, opened: readonly string[], known: ReadonlyMap<string, Edges>): Neighbourhood => {
  const nodes = new Map([[nameOf(start), start]]);
  const edges = new Map<string, Edge>();
  const waiting = new Set([nameOf(start), ...opened]);
  // The opened nodes of an address may come before those through which they are reached.
  for (let next = reached(waiting, nodes); next !== undefined; next = reached(waiting, nodes)) {
    waiting.delete(next);
    for (const edge of known.get(next)?.edges ?? []) {
      edges.set(JSON.stringify([nameOf(edge.source), edge.label, nameOf(edge.target)]), edge);
      for (const end of [edge.source, edge.target]) if (!nodes.has(nameOf(end))) nodes.set(nameOf(end), end);
    }
  }
  const shown = new Set([...nodes.keys()].slice(0, MOST));
  return {
    nodes: [...nodes.values()].slice(0, MOST),
    edges: [...edges.values()].filter((each) => shown.has(nameOf(each.source)) && shown.has(nameOf(each.target))),
    more: nodes.size - shown.size,
  };
};

/** The states of nodes that the edges of a picture tell. */
export const statesOf = (known: ReadonlyMap<string, Edges>): ReadonlyMap<string, string> => {
  const states = new Map<string, string>();
  for (const [name, { edges: read }] of known) {
    for (const { source, target, neighbour } of read) {
      const other = nameOf(source) === name ? target : source;
      if (neighbour) states.set(nameOf(other), neighbour.state);
    }
  }
  return states;
};

const reached = (waiting: ReadonlySet<string>, nodes: ReadonlyMap<string, Node>): string | undefined =>
  [...waiting].find((each) => nodes.has(each));
