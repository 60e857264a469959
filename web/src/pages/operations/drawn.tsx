/** Items drawn as the DynamoDB guide draws them: the partition key once, then its items by sort key. */

import type { components } from "../../api/schema";
import { figure } from "../../ui/figures";
import { Scrolling } from "../../ui/scrolling";
import { Attributes } from "./attributes";

export type ItemOut = components["schemas"]["ItemOut"];
type EntryOut = components["schemas"]["EntryOut"];

/** Whether a partition may be read. */
export type Reach = (pk: string) => boolean;

export const partitionAt = (pk: string, index = ""): string =>
  `/table?${new URLSearchParams(index ? { index, pk } : { pk })}`;

/** Neighbours with one partition key, in their order. */
export const collections = (items: readonly ItemOut[]): ItemOut[][] => {
  const found: ItemOut[][] = [];
  for (const item of items) {
    const last = found.at(-1);
    if (last?.[0]?.pk === item.pk) last.push(item);
    else found.push([item]);
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
      {collections(items).map((of) => (
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
