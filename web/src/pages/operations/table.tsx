/** The one table: how everything lies in it, or any item collection of it or of an index. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { address } from "../../router";
import { Asking, Choice, Field } from "../../ui/asking";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Table } from "../../ui/table";
import { useTitle } from "../../ui/title";
import { Collection } from "./collection";
import { Drawn, type Reach } from "./drawn";
import "./operations.css";

type TableOut = components["schemas"]["TableOut"];

/** In addresses, what is no index. */
const TABLE = "";

export const WholeTable = () => {
  useTitle("Table");
  const { searchParams } = address.value;
  const [pk, index] = [searchParams.get("pk") ?? "", searchParams.get("index") ?? TABLE];
  return (
    <>
      <h1>The table</h1>
      <p class="about">
        All systems share one table. All items with one partition key are an item collection: one request reads it, or a
        range of it, in the order of the sort keys. Three indexes hold some of the items under other keys.
      </p>
      <Loading of={useLoaded("table", () => bodyOf(api.GET("/table")))}>
        {(table) => (
          <>
            <Asking key={`${index} ${pk}`} ask="Show">
              <Choice
                label="In"
                name="index"
                value={index}
                options={[[TABLE, "the table"], ...table.indexes.map((each) => [each.name, each.name] as const)]}
              />
              <Field label="Partition key" name="pk" value={pk} placeholder="DEVICE#JFK" maxLength={2048} />
            </Asking>
            {pk ? (
              <Collection key={`${index} ${pk}`} pk={pk} index={index} reach={reachOf(table)} />
            ) : (
              <Whole of={table} />
            )}
          </>
        )}
      </Loading>
    </>
  );
};

const reachOf =
  ({ families }: TableOut): Reach =>
  (pk) =>
    families.includes(pk.split("#")[0] ?? "");

const Whole = ({ of }: { of: TableOut }) => (
  <>
    {of.sections.map((section) => (
      <section key={section.name}>
        <h2>{section.name[0]?.toUpperCase() + section.name.slice(1)}</h2>
        <p class="about">{section.text}</p>
        <Drawn name={`Items of ${section.name}`} items={section.items} reach={() => false} />
      </section>
    ))}
    {of.indexes.map((index) => (
      <section key={index.name}>
        <h2>
          {index.name}: {index.meaning}
        </h2>
        <p class="about">
          Partition key <code>{index.partition_key}</code>, sort key <code>{index.sort_key}</code> (
          {index.sort_type === "N" ? "a number" : "a text"}); it also has {index.projected.join(", ")} of each item. An
          item is in it while it has both keys (sparse); what they mean depends on how the key begins (overloaded):
        </p>
        <Table
          name={`What ${index.name} is for`}
          columns={["Key begins with", "Who is in it, and why"]}
          rows={index.families.map((each) => [each.name, <code key="name">{each.name}</code>, each.why])}
        />
      </section>
    ))}
  </>
);
