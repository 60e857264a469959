/** The declared conditions that hold now. */

import { bodyOf } from "../api/client";
import { api } from "../console";
import { nodeAt } from "../links";
import { Instant } from "../ui/figures";
import { useListed } from "../ui/listed";
import { Listing } from "../ui/listing";
import { Table } from "../ui/table";
import { useTitle } from "../ui/title";

export const Alerts = () => {
  useTitle("Alerts");
  const list = useListed("alerts", (cursor) => bodyOf(api.GET("/alerts", { params: { query: cursor } })), {
    address: "/alerts",
    last: ({ alerts }) => alerts.at(-1)?.id ?? "",
  });
  return (
    <>
      <h1>Alerts</h1>
      <p class="about">
        Conditions on aggregates that hold now. Each is told once when it begins, and once when it ends.
      </p>
      <Listing list={list} entries={(page) => page.alerts} empty="No condition holds." more="Older alerts">
        {(alerts) => (
          <Table
            name="Alerts"
            columns={["Alert", "Of", "Kind", "Since"]}
            rows={alerts.map((each) => [
              each.id,
              each.alert,
              <About key="of" of={each.dimensions} />,
              each.kind,
              <Instant key="since" at={each.since} />,
            ])}
          />
        )}
      </Listing>
    </>
  );
};

/** What the aggregate is about; a node of the graph leads to its page. */
const About = ({ of: [first, ...rest] }: { of: readonly unknown[] }) => {
  if (!Array.isArray(first) || first.length !== 2) return <>{[first, ...rest].flat().join(" ")}</>;
  const [type, id] = first.map(String) as [string, string];
  return (
    <>
      <a href={nodeAt({ type, id })}>{id}</a> <small>{type}</small>
    </>
  );
};
