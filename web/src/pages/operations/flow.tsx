/** How data flow through the application, step by step, with what flowed lately. */

import type { ComponentChildren } from "preact";
import type { components } from "../../api/schema";
import type { Person } from "../../session/session";
import { figure, Instant } from "../../ui/figures";
import { age, heights, lastMinute } from "./figured";
import { Source } from "./source";

type OverviewOut = components["schemas"]["OverviewOut"];
type FlowOut = components["schemas"]["FlowOut"];

const HEIGHT = 24;

interface Props {
  of: OverviewOut;
  who: Person;
}

export const Flow = ({ of, who }: Props) => {
  const flow = (name: FlowOut["name"]) => of.flows.find((each) => each.name === name);
  const [metrics, median] = [of.sources.metrics, of.freshness.find((each) => each.name === "p50")];
  return (
    <>
      {!of.measured && (
        <p class="about" role="status">
          Nothing has been counted here for an hour: either nobody called, or nothing is measured. These are not zeros.
        </p>
      )}
      <ol class="flow" aria-label="How data flow">
        <Step title="Requests" text="Devices, people and applications write and read over HTTP.">
          <Minutes of={flow("requests")} measured={of.measured} what="requests" />
          <Source of={metrics} />
        </Step>
        <Step
          title={who.administrator ? <a href="/table">One table</a> : "One table"}
          text="Every item lies in one DynamoDB table, next to what is read with it."
        >
          <Kept of={of} who={who} />
          <Source of={of.sources.checks} />
        </Step>
        <Step title="Its stream" text="Each change of an item, with the item before and after, in order.">
          <Minutes of={flow("delivered")} measured={of.measured} what="changes" />
          <Source of={metrics} />
        </Step>
        <Step
          title={<a href="/exactness">Exact aggregates</a>}
          text="The consumer adds each change to the numbers that it concerns, once, even if it comes twice."
        >
          <Minutes of={flow("written")} measured={of.measured} what="aggregates written" />
          {median && median.latest !== null && (
            <p>
              half of the changes were in them within <strong>{age(median.latest)}</strong>
            </p>
          )}
          <Source of={metrics} />
        </Step>
      </ol>
      <Wrong of={of} who={who} />
    </>
  );
};

interface StepProps {
  title: ComponentChildren;
  text: string;
  children: ComponentChildren;
}

const Step = ({ title, text, children }: StepProps) => (
  <li>
    <h2>{title}</h2>
    <p class="about">{text}</p>
    {children}
  </li>
);

const Minutes = ({ of, measured, what }: { of: FlowOut | undefined; measured: boolean; what: string }) => {
  if (!of || !measured) return <p>not measured</p>;
  return (
    <>
      <p>
        <strong>{figure(of.total)}</strong> {what} in the last hour, {figure(lastMinute(of.minutes))} in the last minute
      </p>
      <svg class="minutes" viewBox={`0 0 ${of.minutes.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {heights(of.minutes, HEIGHT).map((height, minute) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: minutes never change their places
          <rect key={minute} x={minute} y={HEIGHT - height} width="0.8" height={height} />
        ))}
      </svg>
    </>
  );
};

const Kept = ({ of: { check }, who }: Props) => {
  if (!check) return <p>How many aggregates it keeps, the first check of the whole table will tell.</p>;
  const when = <Instant at={check.instant} />;
  return (
    <p>
      <strong>{figure(check.aggregates)}</strong> aggregates, when the table was{" "}
      {who.administrator ? <a href={`/checks/${check.run}`}>last checked</a> : "last checked"}: {when}
    </p>
  );
};

const Wrong = ({ of, who }: Props) => (
  <dl class="figures">
    <Figure
      name="Records in quarantine"
      to={who.administrator ? "/quarantine" : undefined}
      value={figure(of.quarantined)}
      good={of.quarantined === 0}
    >
      <Source of={of.sources.quarantine} />
    </Figure>
    <Figure
      name="Aggregates that lack something"
      to={who.administrator ? "/exactness" : undefined}
      value={`${figure(of.incomplete)}${of.incomplete === 100 ? " or more" : ""}`}
      good={of.incomplete === 0}
    >
      <Source of={of.sources.notes} />
    </Figure>
    <Figure
      name="Aggregates that differed at the last check"
      to={who.administrator ? "/checks" : undefined}
      value={figure(of.check?.differences)}
      good={of.check?.differences === 0}
    >
      <Source of={of.sources.checks} />
    </Figure>
  </dl>
);

interface FigureProps {
  name: string;
  to: string | undefined;
  value: string;
  good: boolean;
  children: ComponentChildren;
}

const Figure = ({ name, to, value, good, children }: FigureProps) => (
  <div>
    <dt>{to ? <a href={to}>{name}</a> : name}</dt>
    <dd>
      <strong class={good ? "good" : value === "–" ? "" : "bad"}>{value}</strong>
      {children}
    </dd>
  </div>
);
