/** The attributes of an item, each in a box, as the DynamoDB guide draws them. */

const LONGEST = 160;

export const Attributes = ({ of, hidden }: { of: Readonly<Record<string, unknown>>; hidden: readonly string[] }) => (
  <dl class="attributes-of">
    {Object.entries(of).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd title={shown(value)}>{cut(shown(value))}</dd>
      </div>
    ))}
    {hidden.map((name) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <em>needs a permission</em>
        </dd>
      </div>
    ))}
  </dl>
);

/** A value as text: bytes by how many they are. */
export const shown = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (value !== null && typeof value === "object" && Object.keys(value).join() === "bytes") {
    return `${(value as { bytes: number }).bytes} bytes`;
  }
  return JSON.stringify(value);
};

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text);
