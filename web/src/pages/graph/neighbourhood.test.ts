import { expect, test } from "vitest";
import { around, type Edge, type Edges, named, nameOf, statesOf } from "./neighbourhood";

const person = (id: string) => ({ type: "person", id });
const edge = (from: string, to: string): Edge => ({
  source: person(from),
  label: "KNOWS",
  target: person(to),
  weight: 1,
  data: {},
  neighbour: null,
  summary: null,
});

/** What is read of each node of this graph: all edges that leave it or point at it. */
const graph = (...pairs: [string, string][]): ReadonlyMap<string, Edges> => {
  const edges = pairs.map(([from, to]) => edge(from, to));
  const of = (id: string) => edges.filter((each) => each.source.id === id || each.target.id === id);
  return new Map([...new Set(pairs.flat())].map((id) => [`person/${id}`, { edges: of(id), more: false }]));
};
const ids = (nodes: readonly { id: string }[]) => nodes.map((each) => each.id);

const CHAIN = graph(["amy", "bob"], ["bob", "eve"], ["eve", "kim"]);

test("at first there are the neighbours of the node", () => {
  const { nodes, edges } = around(person("bob"), [], CHAIN);
  expect(ids(nodes)).toEqual(["bob", "amy", "eve"]);
  expect(edges).toHaveLength(2);
});

test("an opened node brings in its neighbours; an edge that both ends know is one", () => {
  const { nodes, edges } = around(person("amy"), ["person/bob"], CHAIN);
  expect(ids(nodes)).toEqual(["amy", "bob", "eve"]);
  expect(edges).toHaveLength(2);
});

test("nodes are opened in whatever order the address names them", () => {
  const { nodes } = around(person("amy"), ["person/eve", "person/bob"], CHAIN);
  expect(ids(nodes)).toEqual(["amy", "bob", "eve", "kim"]);
});

test("what is opened but can't be reached stays away", () => {
  expect(ids(around(person("amy"), ["person/eve"], CHAIN).nodes)).toEqual(["amy", "bob"]);
});

test("a picture ends at 60 nodes, and says how many it leaves out", () => {
  const star = graph(...Array.from({ length: 70 }, (_, each): [string, string] => ["amy", `p${each}`]));
  const { nodes, edges, more } = around(person("amy"), [], star);
  expect([nodes.length, edges.length, more]).toEqual([60, 59, 11]);
});

test("edges tell the states of those at their other ends", () => {
  const told = { ...edge("h1", "web"), neighbour: { state: "down", measures: {} } };
  const known = new Map([
    ["person/web", { edges: [told], more: false }],
    ["person/h1", { edges: [edge("h1", "web")], more: false }],
  ]);
  expect([...statesOf(known)]).toEqual([["person/h1", "down"]]);
});

test.each([["amy"], ["hall/3"], ["a,b"], ["50%"]])("the node %s is named in an address and found again", (id) => {
  expect(named(nameOf(person(id)))).toEqual(person(id));
});
