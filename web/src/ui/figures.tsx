/** Numbers and instants, as people read them. */

const NUMBERS = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
const INSTANTS = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

/** A number, or a dash for none. */
export const figure = (value: number | null | undefined): string => (value == null ? "–" : NUMBERS.format(value));

/** An instant in UTC; nothing that is no instant. */
export const Instant = ({ at }: { at: string | null | undefined }) =>
  at ? <time dateTime={at}>{INSTANTS.format(new Date(at))}</time> : <span>–</span>;

/** A row of named figures. */
export const Figures = ({ of }: { of: readonly (readonly [string, preact.ComponentChildren])[] }) => (
  <dl class="figures">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
