/** Nodes that have an attribute: a day, a name, a place or a skill. */

import { useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import type { paths } from "../../api/schema";
import { api } from "../../console";
import { address } from "../../router";
import { Asking, Choice, Field } from "../../ui/asking";
import { useListed } from "../../ui/listed";
import { Listing, Rows } from "../../ui/listing";
import { attributeText } from "./attributes";
import { NodeLink } from "./edges";

type Question = paths["/graph/search"]["get"]["parameters"]["query"];

const KINDS = [
  ["skill", "Skill"],
  ["place", "Place"],
  ["date", "Date"],
  ["name", "Name"],
] as const;
const WAYS = [
  ["value", "is"],
  ["begins_with", "begins with"],
  ["range", "is from … to before"],
] as const;

export const Search = () => {
  const { searchParams } = address.value;
  const asked = (name: string) => searchParams.get(name) ?? "";
  const [way, setWay] = useState(asked("way") || "value");
  const kind = asked("kind");
  return (
    <section>
      <h2>Search</h2>
      <Asking ask="Search" without={["to", "label", "measure", "direction"]}>
        <Choice label="Attribute" name="kind" value={kind || "skill"} options={KINDS} />
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
      {kind && <Hits query={question(kind as Question["kind"], asked("way"), asked("text"), asked("to"))} />}
    </section>
  );
};

const question = (kind: Question["kind"], way: string, text: string, to: string): Question => {
  if (way === "range") return { kind, from: text, ...(to && { to }) };
  return way === "begins_with" ? { kind, begins_with: text } : { kind, value: text };
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
            `${each.attribute.name ?? each.attribute.kind}: ${attributeText(each.attribute)}`,
          ])}
        />
      )}
    </Listing>
  );
};
