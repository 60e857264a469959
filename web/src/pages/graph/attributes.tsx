/** The attributes of a node; each leads to the other nodes that have it. */

import type { components } from "../../api/schema";
import { spelled } from "../../api/spelling";

type Attribute = components["schemas"]["AttributeOut"];

export const Attributes = ({ of }: { of: readonly Attribute[] }) => (
  <ul class="attributes">
    {of.map((each) => (
      <li key={JSON.stringify(each)}>
        <span>{each.name ?? each.kind}</span> <a href={alike(each)}>{attributeText(each)}</a>
      </li>
    ))}
  </ul>
);

export const attributeText = ({ value }: Attribute): string => (Array.isArray(value) ? value.join(" / ") : value);

const alike = ({ kind, value }: Attribute): string => {
  const text = Array.isArray(value) ? value.map(spelled).join("/") : value;
  return `/graph?${new URLSearchParams({ kind, way: "value", text })}`;
};
