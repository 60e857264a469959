/** Nodes that have an attribute, of those that are declared. */

import { useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import type { paths } from "../../api/schema";
import { api } from "../../console";
import { address } from "../../router";
import { Asking, Choice, Field } from "../../ui/asking";
import { useListed } from "../../ui/listed";
import { Listing, Rows } from "../../ui/listing";
import { attributeText, named } from "./attributes";
import { NodeLink } from "./edges";

type Question = paths["/graph/search"]["get"]["parameters"]["query"];

declare const ATTRIBUTES: readonly Question["name"][];
const NAMES = ATTRIBUTES.map((name) => [name, named(name)] as const);
const WAYS = [
  ["value", "is"],
  ["begins_with", "begins with"],
  ["range", "is from … to before"],
] as const;

export const Search = () => {
  const { searchParams } = address.value;
  const asked = (name: string) => searchParams.get(name) ?? "";
  const [way, setWay] = useState(asked("way") || "value");
  const name = asked("name");
  return (
    <section>
      <h2>Search</h2>
      <Asking ask="Search" without={["to", "label", "measure", "direction"]}>
        <Choice label="Attribute" name="name" value={name || "skill"} options={NAMES} />
        <Choice label="Which" name="way" value={way} options={WAYS} onChange={setWay} />
        <Field
          label={way === "range" ? "The first value" : "Value"}
          name="text"
          value={asked("text")}
          required
          placeholder="DynamoDB"
        />
        {way === "range" && <Field label="Before" name="to" value={asked("to")} />}
      </Asking>
      {name && <Hits query={question(name as Question["name"], asked("way"), asked("text"), asked("to"))} />}
    </section>
  );
};

const question = (name: Question["name"], way: string, text: string, to: string): Question => {
  if (way === "range") return { name, from: text, ...(to && { to }) };
  return way === "begins_with" ? { name, begins_with: text } : { name, value: text };
};

const Hits = ({ query }: { query: Question }) => {
  const list = useListed("search", (cursor) =>
    bodyOf(api.GET("/graph/search", { params: { query: { ...query, limit: 50, ...cursor } } })),
  );
  return (
    <Listing list={list} entries={(page) => page.nodes} empty="No node has it." more="More nodes">
      {(nodes) => (
        <Rows
          of={nodes.map((each) => [
            JSON.stringify(each),
            <NodeLink key="node" to={each} />,
            `${named(each.attribute.name)}: ${attributeText(each.attribute)}`,
          ])}
        />
      )}
    </Listing>
  );
};
