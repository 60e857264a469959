/** What flows, how fresh it is and what it costs: the last hour in four figures. */

import type { components } from "../../api/schema";
import { figure } from "../../ui/figures";
import type { Loaded } from "../../ui/loaded";
import { Failed } from "../../ui/loading";
import { age, heights, lastMinute, usd } from "../operations/figured";

type Overview = components["schemas"]["OverviewOut"];

const HEIGHT = 24;

export const Kpis = ({ of }: { of: Loaded<Overview> }) => {
  const { value } = of;
  const flow = (name: string) => (value?.measured ? value.flows.find((each) => each.name === name) : undefined);
  const fresh = (name: string) => value?.freshness.find((each) => each.name === name)?.latest ?? null;
  const [changes, written] = [flow("delivered"), flow("written")];
  const per = changes && written?.total ? (changes.total / written.total).toFixed(1) : null;
  return (
    <>
      <Failed of={of} />
      <dl class="kpis">
        <Kpi name="Changes" value={figure(changes?.total)} unit="/ h" minutes={changes?.minutes}>
          {changes ? `${figure(lastMinute(changes.minutes))} in the last minute` : "not measured"}
        </Kpi>
        <Kpi name="Aggregates written" value={figure(written?.total)} unit="/ h" minutes={written?.minutes}>
          {per ? `${per} changes in one write` : "not measured"}
        </Kpi>
        <Kpi name="Freshness, median" value={value ? age(fresh("p50")) : "–"} unit="">
          99 of 100 within {age(fresh("p99"))}
        </Kpi>
        <Kpi name="Cost" value={value ? usd(value.cost * 24) : "–"} unit="/ day">
          as the last hour, of the table alone
        </Kpi>
      </dl>
    </>
  );
};

interface Props {
  name: string;
  value: string;
  unit: string;
  minutes?: readonly number[] | undefined;
  children: preact.ComponentChildren;
}

const Kpi = ({ name, value, unit, minutes, children }: Props) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong> <span>{unit}</span>
      {minutes && <Bars of={minutes} />}
      <p>{children}</p>
    </dd>
  </div>
);

const Bars = ({ of }: { of: readonly number[] }) => (
  <svg class="bars" viewBox={`0 0 ${of.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
    {heights(of, HEIGHT).map((height, minute) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: minutes never change their places
      <rect key={minute} x={minute} y={HEIGHT - height} width="0.8" height={height} />
    ))}
  </svg>
);
