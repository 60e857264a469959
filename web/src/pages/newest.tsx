/** The readings of a device as it sent them, and the newest value of everything in them. */

import { placeAt } from "../links";
import { asking } from "../router";
import { figure, Instant } from "../ui/figures";
import { sendReading } from "../ui/first";
import type { Listed } from "../ui/listed";
import { Listing, Rows } from "../ui/listing";
import { Table } from "../ui/table";
import { type Latest, latest, type Reading, type ReadingsOut } from "./readings";

/** A metric leads to its chart; an attribute has none. */
export const Newest = ({ readings }: { readings: readonly Reading[] }) => {
  const [metrics, attributes] = [latest(readings, "metrics"), latest(readings, "attributes")];
  return (
    <section>
      <h2>Newest values</h2>
      <p class="about">Of the {figure(readings.length)} readings that are listed below.</p>
      {metrics.length > 0 && (
        <Values
          name="Metrics"
          of={metrics}
          link={(name) => (
            <a key="name" href={asking({ metric: name })}>
              {name}
            </a>
          )}
        />
      )}
      {attributes.length > 0 && <Values name="Attributes" of={attributes} link={(name) => name} />}
    </section>
  );
};

interface ValuesProps {
  name: string;
  of: readonly Latest[];
  link: (name: string) => preact.ComponentChild;
}

const Values = ({ name, of, link }: ValuesProps) => (
  <Table
    name={name}
    columns={[name, "Value", "Sent at (UTC)"]}
    rows={of.map((each) => [each.name, link(each.name), written(each.value), <Instant key="at" at={each.at} />])}
  />
);

export const AsSent = ({ device, list }: { device: string; list: Listed<ReadingsOut> }) => (
  <section class="readings">
    <h2>Readings, the newest first</h2>
    <Listing
      list={list}
      entries={(page) => page.events}
      empty="None is stored any more."
      first={sendReading({ device })}
      more="Older readings"
    >
      {(readings) => (
        <Rows
          of={readings.map((each) => [
            `${each.at} ${each.event_id}`,
            <>
              <Instant at={each.at} /> <code>{each.event_id}</code>
            </>,
            each.place && <a href={placeAt(each.place)}>{each.place.join(" / ")}</a>,
            ...[each.metrics, each.attributes].map((values) => pairs(values)),
          ])}
        />
      )}
    </Listing>
  </section>
);

const pairs = (values: Readonly<Record<string, Latest["value"]>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${written(value)}`)
    .join(", ");

/** As it was sent: with all digits, which a figure would round. */
const written = (value: Latest["value"]): string => String(value);
