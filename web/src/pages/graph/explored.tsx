/** The graph around a node, as far as somebody has opened it; the address knows how far. */

import { useEffect, useRef, useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { type Node, nodeAt } from "../../links";
import { address, go } from "../../router";
import { storeEdge } from "../../ui/first";
import { Failed } from "../../ui/loading";
import { Empty, Waiting } from "../../ui/states";
import { around, type Edges, named, nameOf, statesOf } from "./neighbourhood";
import { Picture } from "./picture";

/** How many edges of each direction are read of a node. */
const READ = 25;

export const Explored = ({ start }: { start: Node }) => {
  const opened = address.value.searchParams.getAll("open");
  const { known, ...read } = useEdges([nameOf(start), ...opened]);
  const shown = around(start, opened, known);
  const states = statesOf(known);
  const toggle = (name: string) => {
    if (name === nameOf(start)) return;
    const parameters = new URLSearchParams(address.value.searchParams);
    if (opened.includes(name)) parameters.delete("open", name);
    else parameters.append("open", name);
    go(`${address.value.pathname}?${parameters}`, { replace: true });
  };
  if (!known.has(nameOf(start))) return read.error ? <Failed of={read} /> : <Waiting />;
  if (shown.nodes.length === 1) return <Empty first={storeEdge(start)}>It has no edges yet.</Empty>;
  const cut = shown.nodes.filter((each) => known.get(nameOf(each))?.more).map((each) => each.id);
  return (
    <section aria-label="The graph around it">
      <Failed of={read} />
      <div class="explored">
        <Picture of={shown} opened={new Set(opened)} states={states} toggle={toggle} />
        <ul class="rows" aria-label="Nodes in the picture">
          {shown.nodes.slice(1).map((node) => {
            const name = nameOf(node);
            const act = opened.includes(name) ? "Fold" : "Expand";
            return (
              <li key={name}>
                <span>
                  <a href={nodeAt(node)}>{node.id}</a>{" "}
                  <small>{[node.type, states.get(name)].filter(Boolean).join(", ")}</small>
                </span>
                <button type="button" aria-label={`${act} ${node.type} ${node.id}`} onClick={() => toggle(name)}>
                  {act}
                </button>
              </li>
            );
          })}
        </ul>
      </div>
      <p class="about">
        Click a node to expand it, once more to fold it. {shown.more > 0 && `${shown.more} more nodes are not drawn. `}
        {cut.length > 0 && `Only the first ${READ} edges each way are drawn of ${cut.join(", ")}.`}
      </p>
    </section>
  );
};

interface Known {
  known: ReadonlyMap<string, Edges>;
  error: unknown;
  /** When edges were read last, in milliseconds since 1970. */
  at: number;
  /** Read what could not be read. */
  reload: () => void;
}

/** The edges of some nodes; those that are known are not read again. */
const useEdges = (names: readonly string[]): Known => {
  const [known, setKnown] = useState<ReadonlyMap<string, Edges>>(new Map());
  const [error, setError] = useState<unknown>();
  const [at, setAt] = useState(0);
  const [turn, setTurn] = useState(0);
  const asked = useRef(new Set<string>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are compared by what they say; `turn` asks once more
  useEffect(() => {
    setError(undefined);
    for (const name of names) {
      if (asked.current.has(name)) continue;
      asked.current.add(name);
      edgesOf(named(name)).then(
        (edges) => {
          setKnown((before) => new Map(before).set(name, edges));
          setAt(Date.now());
        },
        (problem: unknown) => {
          asked.current.delete(name);
          setError(problem);
        },
      );
    }
  }, [names.join(), turn]);
  return { known, error, at, reload: () => setTurn(turn + 1) };
};

const edgesOf = async (path: Node): Promise<Edges> => {
  const read = (direction: "out" | "in") =>
    bodyOf(api.GET("/graph/nodes/{type}/{id}/edges", { params: { path, query: { direction, limit: READ } } }));
  const pages = await Promise.all([read("out"), read("in")]);
  return { edges: pages.flatMap((page) => page.edges), more: pages.some((page) => page.cursor !== null) };
};
