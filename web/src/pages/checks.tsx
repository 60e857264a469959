/** All checks of the whole table, for administrators. */

import { bodyOf } from "../api/client";
import type { components } from "../api/schema";
import { segment } from "../api/spelling";
import { api } from "../console";
import { figure, Instant } from "../ui/figures";
import { beginCheck } from "../ui/first";
import { useListed } from "../ui/listed";
import { Listing } from "../ui/listing";
import { Scrolling } from "../ui/scrolling";
import { useTitle } from "../ui/title";

type Entry = components["schemas"]["CheckEntry"];
type Differing = components["schemas"]["Differing"];

/** How many aggregates differ, for whatever reason. */
export const differing = (of: Differing | null): number | null =>
  of && of.wrong + of.follows + of.noted + of.unreadable;

/** The outcome of a check in a word. */
export const Outcome = ({ of }: { of: Entry }) => {
  const number = differing(of.differences);
  if (of.state !== "done") return <span class={`mark ${of.state === "failed" ? "bad" : ""}`}>{of.state}</span>;
  if (of.kind === "fill") return <span class="mark">filled</span>;
  return <span class={`mark ${number ? "bad" : "good"}`}>{number ? `${figure(number)} differ` : "exact"}</span>;
};

export const Checks = () => {
  useTitle("Checks");
  const list = useListed("checks", (cursor) => bodyOf(api.GET("/checks", { params: { query: cursor } })));
  return (
    <>
      <h1>Checks</h1>
      <p class="about">
        Each counts every aggregate anew from an export of the table. <code>make reconcile</code> begins one.
      </p>
      <Listing
        list={list}
        entries={(page) => page.checks}
        empty="The table has not been checked yet."
        first={beginCheck()}
        more="Earlier checks"
      >
        {(checks) => <Table checks={checks} />}
      </Listing>
    </>
  );
};

const Table = ({ checks }: { checks: readonly Entry[] }) => (
  <Scrolling kind="wide" name="Checks, the newest first">
    <table>
      <thead>
        <tr>
          <th scope="col">Began</th>
          <th scope="col">Kind</th>
          <th scope="col">Outcome</th>
          <th scope="col">Items</th>
          <th scope="col">Aggregates</th>
          <th scope="col">Seconds</th>
          <th scope="col">Cost, USD</th>
        </tr>
      </thead>
      <tbody>
        {checks.map((each) => (
          <tr key={each.run}>
            <th scope="row">
              <a href={`/checks/${segment(each.run)}`}>
                <Instant at={each.began} />
              </a>
            </th>
            <td>{each.kind}</td>
            <td>
              <Outcome of={each} />
            </td>
            <td>{figure(each.items)}</td>
            <td>{figure(each.aggregates)}</td>
            <td>{figure(each.seconds)}</td>
            <td>{figure(each.cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scrolling>
);
