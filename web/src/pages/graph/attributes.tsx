/** The attributes of a node; each leads to the other nodes that have it. */

import type { components } from "../../api/schema";
import { spelled } from "../../api/spelling";

type Attribute = components["schemas"]["AttributeOut"];

export const Attributes = ({ of }: { of: readonly Attribute[] }) => (
  <ul class="attributes">
    {of.map((each) => (
      <li key={JSON.stringify(each)}>
        <span>{named(each.name)}</span> <a href={alike(each)}>{attributeText(each)}</a>
      </li>
    ))}
  </ul>
);

/** The name of an attribute for people. */
export const named = (name: string): string => name.replaceAll("_", " ");

export const attributeText = ({ value }: Attribute): string =>
  Array.isArray(value) ? value.join(" / ") : String(value);

const alike = ({ name, value }: Attribute): string => {
  const text = Array.isArray(value) ? value.map(spelled).join("/") : String(value);
  return `/graph?${new URLSearchParams({ name, way: "value", text })}`;
};
