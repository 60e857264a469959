/** Numbers and instants, as people read them. */

import type { Told } from "../api/fresh";
import { Banner } from "./states";

const NUMBERS = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
const INSTANTS = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

/** A number, or a dash for none. */
export const figure = (value: number | null | undefined): string => (value == null ? "–" : NUMBERS.format(value));

/** An instant in UTC; nothing that is no instant. */
export const Instant = ({ at }: { at: string | null | undefined }) =>
  at ? <time dateTime={at}>{INSTANTS.format(new Date(at))}</time> : <span>–</span>;

/** What must be known of the numbers of an answer; until when they are complete, the top of the page says. */
export const Fresh = ({ of }: { of: Told | undefined }) => (
  <>
    {of?.incomplete && <Banner>A record is missing until the aggregate is repaired.</Banner>}
    {of?.behind && <Banner>What was written lately may be missing: the stream is behind.</Banner>}
  </>
);

/** A row of named figures; `told`: the answer that they are from, if they count something. */
export const Figures = ({
  of,
  told,
}: {
  of: readonly (readonly [string, preact.ComponentChildren])[];
  told?: Told | undefined;
}) => (
  <>
    <dl class="figures">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    <Fresh of={told} />
  </>
);
