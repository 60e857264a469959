/** The page from which nodes are found: by what they are, and by how they are connected. */

import { address } from "../../router";
import { useTitle } from "../../ui/title";
import { Ranking } from "./ranking";
import { Search } from "./search";
import "./graph.css";

/** Questions that the demo answers. */
const EXAMPLES = [
  ["who knows DynamoDB", { name: "skill", way: "value", text: "DynamoDB" }],
  ["who lives in Texas", { name: "lives_in", way: "begins_with", text: "US/Texas" }],
  ["who was born in 1971", { name: "born", way: "begins_with", text: "1971" }],
  ["whom the most know", { label: "KNOWS", measure: "count", direction: "in" }],
] as const;

export const Graph = () => {
  useTitle("Graph");
  const key = address.value.search;
  return (
    <>
      <h1>Graph</h1>
      <p class="about">
        Nodes with attributes, and weighted edges between them. Try{" "}
        {EXAMPLES.map(([text, question], position) => (
          <span key={text}>
            {position > 0 && ", "}
            <a href={`/graph?${new URLSearchParams(question)}`}>{text}</a>
          </span>
        ))}
        .
      </p>
      <section class="two">
        <Search key={`search ${key}`} />
        <Ranking key={`ranking ${key}`} />
      </section>
    </>
  );
};
