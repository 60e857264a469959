/** Numbers and instants, as people read them. */

const NUMBERS = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
const INSTANTS = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });

/** A number, or a dash for none. */
export const figure = (value: number | null | undefined): string => (value == null ? "–" : NUMBERS.format(value));

/** An instant in UTC; nothing that is no instant. */
export const Instant = ({ at }: { at: string | null | undefined }) =>
  at ? <time dateTime={at}>{INSTANTS.format(new Date(at))}</time> : <span>–</span>;

/** What an answer with aggregates says of them. */
export interface Told {
  as_of?: string | null;
  behind?: true | null;
  incomplete?: true | null;
}

/** How fresh the numbers of an answer are, and whether they lack something. */
export const Fresh = ({ of }: { of: Told | undefined }) => (
  <>
    {of?.incomplete && <p class="about">A record is missing until the aggregate is repaired.</p>}
    {of?.behind && <p class="about">What was written lately may be missing: the stream is behind.</p>}
    {of?.as_of && (
      <p class="about">
        With every change until <Instant at={of.as_of} /> UTC
      </p>
    )}
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
