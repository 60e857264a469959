/** The one table: how everything lies in it, or any item collection of it or of an index. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { address } from "../../router";
import { Asking, Choice, Field } from "../../ui/asking";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Table } from "../../ui/table";
import { Tabs } from "../../ui/tabs";
import { useTitle } from "../../ui/title";
import { Collection } from "./collection";
import { Drawn, Indexed, type Reach } from "./drawn";
import "./operations.css";

type IndexOut = components["schemas"]["IndexOut"];
type SectionOut = components["schemas"]["SectionOut"];
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
              <Collection
                key={`${index} ${pk}`}
                pk={pk}
                index={table.indexes.find((each) => each.name === index)}
                reach={reachOf(table)}
              />
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

/** A part of it at a time: a system's partitions, or an index. */
const Whole = ({ of }: { of: TableOut }) => (
  <div class="all-tabs">
    <Tabs
      name="Parts of the table"
      of={[
        ...of.sections.map((each) => [each.name, titled(each.name), () => <Section of={each} />] as const),
        ...of.indexes.map((each) => [each.name, each.name, () => <Index of={each} sections={of.sections} />] as const),
      ]}
    />
  </div>
);

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const Section = ({ of }: { of: SectionOut }) => (
  <section>
    <h2>{titled(of.name)}</h2>
    <p class="about">{of.text} These are examples, as the code itself stores them.</p>
    <Drawn name={`Items of ${of.name}`} items={of.items} reach={nowhere} />
  </section>
);

const Index = ({ of, sections }: { of: IndexOut; sections: readonly SectionOut[] }) => (
  <section>
    <h2>
      {of.name}: {of.meaning}
    </h2>
    <p class="about">
      Its partition key is the attribute <code>{of.partition_key}</code>, its sort key <code>{of.sort_key}</code>, which
      is {of.sort_type === "N" ? "a number" : "a text"}. Of each item it also has {of.projected.join(", ")}. It is{" "}
      <em>sparse</em>: an item is in it while it has both keys. It is <em>overloaded</em>: what its keys mean depends on
      how they begin.
    </p>
    <Table
      name={`What ${of.name} is for`}
      columns={["Key begins with", "Who is in it, and why"]}
      rows={of.families.map((each) => [each.name, <code key="name">{each.name}</code>, each.why])}
    />
    <h3>Entries of the examples</h3>
    <Indexed index={of} items={sections.flatMap((each) => each.items)} reach={nowhere} sorted />
  </section>
);

/** Examples lie in no table. */
const nowhere: Reach = () => false;
