/** What the application does: a drawing of how data flow, with live figures, and where each of them comes from. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import type { Person } from "../../session/session";
import { useEvery } from "../../ui/every";
import { Instant } from "../../ui/figures";
import { type Loaded, useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Table } from "../../ui/table";
import { useTitle } from "../../ui/title";
import { age, aMonth, usd } from "./figured";
import { Flow } from "./flow";
import { Source } from "./source";
import "./operations.css";

type OverviewOut = components["schemas"]["OverviewOut"];
type AgeOut = components["schemas"]["AgeOut"];

/** The figures change once a minute. */
const RENEWED_MS = 60_000;
const STATISTICS: Record<string, string> = {
  p50: "median (p50)",
  p99: "99th percentile (p99)",
  Maximum: "the oldest",
};
const READERS: Record<string, string> = { edge_aggregator: "the consumer", cascade: "the cascade" };

export const useOverview = (): Loaded<OverviewOut> => {
  const read = useLoaded("overview", () => bodyOf(api.GET("/overview")));
  useEvery(RENEWED_MS, read.reload);
  return read;
};

export const Overview = ({ who }: { who: Person }) => {
  useTitle("Flow & freshness");
  const read = useOverview();
  return (
    <>
      <div class="heading">
        <h1>Flow & freshness</h1>
        <button type="button" onClick={read.reload} disabled={read.waiting}>
          Reload
        </button>
      </div>
      <Loading of={read}>
        {(of) => (
          <>
            <Flow of={of} who={who} />
            <Fresh of={of} />
            <Costs of={of} />
          </>
        )}
      </Loading>
    </>
  );
};

const Fresh = ({ of }: { of: OverviewOut }) => (
  <section>
    <h2>How fresh numbers are</h2>
    <p class="about">
      How old changes were when they had been counted, in the last minute with changes. The stream has times in whole
      seconds. Not measured: the local cloud has no such age, or nothing was delivered for an hour.
    </p>
    <Table
      name="Ages"
      columns={["Of", "Latest", "When", "Greatest of the hour"]}
      rows={[
        ...of.freshness.map((each) => ages(`Changes: ${STATISTICS[each.name]}`, each)),
        ...of.shards.map((each) => ages(`Changes of shard ${each.name}`, each)),
        ...of.lags.map((each) => ages(`Oldest record before ${READERS[each.name]}`, each)),
      ]}
    />
    <Source of={of.sources.metrics} />
  </section>
);

const ages = (name: string, of: AgeOut) =>
  [
    name,
    name,
    <span key="latest">{age(of.latest)}</span>,
    <Instant key="at" at={of.at} />,
    <span key="greatest">{age(of.greatest)}</span>,
  ] as const;

const Costs = ({ of }: { of: OverviewOut }) => (
  <section>
    <h2>What it costs</h2>
    <p class="about">
      Units that the functions consumed in the last hour: {usd(of.cost)}, by the list price of us-east-1. A month of
      such hours is {usd(aMonth(of.cost))}. Lambda, the API, logs and storage are not in it.
    </p>
    {of.units.length > 0 && (
      <Table
        name="Units by function"
        columns={["Function", "Requests", "Read units", "Write units", "USD"]}
        rows={of.units.map((each) => [
          each.function,
          each.function,
          each.requests || null,
          each.read_units,
          each.write_units,
          <span key="cost">{usd(each.cost)}</span>,
        ])}
      />
    )}
    <p class="about">
      As of <Instant at={of.at} />.
    </p>
    <Source of={of.sources.metrics} />
  </section>
);
