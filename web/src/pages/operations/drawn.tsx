/** Items drawn as the DynamoDB guide draws them: the partition key once, then its items by sort key. */

import type { components } from "../../api/schema";
import { figure } from "../../ui/figures";
import { Scrolling } from "../../ui/scrolling";
import { Attributes } from "./attributes";

export type ItemOut = components["schemas"]["ItemOut"];
export type IndexOut = components["schemas"]["IndexOut"];
type EntryOut = components["schemas"]["EntryOut"];

/** Whether a partition may be read. */
export type Reach = (pk: string) => boolean;

export const partitionAt = (pk: string, index = ""): string =>
  `/table?${new URLSearchParams(index ? { index, pk } : { pk })}`;

/** Neighbours with the same key, in their order. */
export const neighbours = <T,>(of: readonly T[], key: (each: T) => string): T[][] => {
  const found: T[][] = [];
  for (const each of of) {
    const last = found.at(-1);
    if (last?.[0] !== undefined && key(last[0]) === key(each)) last.push(each);
    else found.push([each]);
  }
  return found;
};

interface Props {
  name: string;
  items: readonly ItemOut[];
  reach: Reach;
}

export const Drawn = ({ name, items, reach }: Props) => (
  <Scrolling kind="wide" name={name}>
    <table class="collection">
      <thead>
        <tr>
          <th scope="col">Partition key</th>
          <th scope="col">Sort key</th>
          <th scope="col">Type, size</th>
          <th scope="col">Attributes</th>
          <th scope="col">Entries in indexes, and why</th>
        </tr>
      </thead>
      {neighbours(items, ({ pk }) => pk).map((of) => (
        <tbody key={of[0]?.pk}>
          {of.map((item, position) => (
            <tr key={item.sk}>
              {position === 0 && (
                <th scope="rowgroup" rowSpan={of.length}>
                  <Partition pk={item.pk} reach={reach} />
                </th>
              )}
              <td>
                <code>{item.sk}</code>
              </td>
              <td>
                {item.type ?? "unknown"} <small>{figure(item.bytes)} bytes</small>
              </td>
              <td>
                <Attributes of={item.attributes} hidden={item.hidden} />
              </td>
              <td>
                <Entries of={item.entries} />
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </Scrolling>
);

interface IndexedProps {
  index: IndexOut;
  items: readonly ItemOut[];
  reach: Reach;
  /** Whether the items are to be put into the order of the index. */
  sorted?: boolean;
}

/** The entries of items in an index: by its own keys, with what is projected. */
export const Indexed = ({ index, items, reach, sorted = false }: IndexedProps) => (
  <Scrolling kind="wide" name={`Entries in ${index.name}`}>
    <table class="collection">
      <thead>
        <tr>
          {[index.partition_key, index.sort_key, "Partition key", "Sort key", "Type", "Projected"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {entriesIn(index, items, sorted).map((of) => (
        <tbody key={of[0]?.entry.pk}>
          {of.map(({ entry, item }, position) => (
            <tr key={`${item.pk} ${item.sk}`}>
              {position === 0 && (
                <th scope="rowgroup" rowSpan={of.length}>
                  <a href={partitionAt(entry.pk, index.name)}>
                    <code>{entry.pk}</code>
                  </a>
                </th>
              )}
              <td>
                <code>{entry.sk}</code>
              </td>
              <td>
                <Partition pk={item.pk} reach={reach} />
              </td>
              <td>
                <code>{item.sk}</code>
              </td>
              <td>{item.type ?? "unknown"}</td>
              <td>
                <Attributes of={projected(index, item)} hidden={[]} />
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </Scrolling>
);

interface Indexing {
  entry: EntryOut;
  item: ItemOut;
}

/** The entries of an index by its partitions. */
export const entriesIn = (index: IndexOut, items: readonly ItemOut[], sorted: boolean): Indexing[][] => {
  const found = items.flatMap((item) => {
    const entry = item.entries.find((each) => each.index === index.name);
    return entry ? [{ entry, item }] : [];
  });
  const order = index.sort_type === "N" ? byNumber : byText;
  if (sorted) found.sort((one, other) => byText(one.entry.pk, other.entry.pk) || order(one.entry.sk, other.entry.sk));
  return neighbours(found, ({ entry }) => entry.pk);
};

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const byNumber = (one: string, other: string): number => Number(one) - Number(other);

const projected = (index: IndexOut, item: ItemOut): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item.attributes).filter(([name]) => index.projected.includes(name)));

const Partition = ({ pk, reach }: { pk: string; reach: Reach }) =>
  reach(pk) ? (
    <a href={partitionAt(pk)}>
      <code>{pk}</code>
    </a>
  ) : (
    <code>{pk}</code>
  );

const Entries = ({ of }: { of: readonly EntryOut[] }) => (
  <ul class="entries-of">
    {of.map((each) => (
      <li key={each.index}>
        <strong>{each.index}</strong>{" "}
        <a href={partitionAt(each.pk, each.index)}>
          <code>{each.pk}</code>
        </a>{" "}
        <code>{each.sk}</code>
        <br />
        <small>{each.why}</small>
      </li>
    ))}
  </ul>
);
