/** The states of nodes. Colours say how bad one is; the text says it, too. */

import type { components } from "../../api/schema";

/** How nodes are, as the API says it of nodes and of neighbours. */
export type State = Pick<components["schemas"]["StateOut"], "state" | "measures">;

/** The states that this release declares (functions/systems/graph/declared.py), by how bad they are. */
const HOW_BAD: Readonly<Record<string, "well" | "hurt" | "gone">> = {
  up: "well",
  open: "well",
  degraded: "hurt",
  disrupted: "hurt",
  down: "gone",
  closed: "gone",
};

/** The class of whatever shows a state; empty for one that nobody knows. */
export const howBad = (state: string | null | undefined): string => (state && HOW_BAD[state]) || "";

/** A state, with its measures. */
export const StateOf = ({ of }: { of: { state: string | null; measures: State["measures"] } | null }) =>
  of?.state ? (
    <span class={`state ${howBad(of.state)}`}>{[of.state, ...measured(of.measures)].join(", ")}</span>
  ) : (
    <>–</>
  );

const measured = (measures: State["measures"]): string[] =>
  Object.entries(measures).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`);
