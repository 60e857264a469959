/** The versions of a document, and what changed from one to another. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { address, asking, go } from "../../router";
import { Choice } from "../../ui/asking";
import { figure, Instant } from "../../ui/figures";
import { writeVersion } from "../../ui/first";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Empty } from "../../ui/states";
import { Table } from "../../ui/table";
import { type Line, lines } from "./changed";

type Version = components["schemas"]["VersionOut"];

export const Versions = ({ document }: { document: string }) => {
  const list = useListed("versions", (cursor) =>
    bodyOf(
      api.GET("/documents/{document}/versions", {
        params: { path: { document }, query: { order: "desc", limit: 10, ...cursor } },
      }),
    ),
  );
  const version = Number(address.value.searchParams.get("version"));
  const since = Number(address.value.searchParams.get("since") ?? version - 1);
  return (
    <>
      <Listing
        list={list}
        entries={(page) => page.versions}
        empty="It has no version yet."
        first={writeVersion(document)}
        more="Earlier versions"
      >
        {(versions) => <All of={versions} />}
      </Listing>
      {version > 0 && <Changed key={`${since} ${version}`} document={document} since={since} version={version} />}
    </>
  );
};

const All = ({ of }: { of: readonly Version[] }) => (
  <Table
    name="Versions, the newest first"
    columns={["Version", "Author", "At", "Note", "Letters"]}
    rows={of.map((each) => [
      each.version,
      <a key="version" href={asking({ version: String(each.version), since: "" })}>
        {figure(each.version)}: what changed
      </a>,
      each.author,
      <Instant key="at" at={each.at} />,
      each.note,
      each.content.length,
    ])}
  />
);

interface Props {
  document: string;
  since: number;
  version: number;
}

const Changed = ({ document, since, version }: Props) => {
  const read = useLoaded("texts", () => Promise.all([textOf(document, since), textOf(document, version)]));
  const earlier = Array.from({ length: version }, (_, each) => String(version - 1 - each));
  return (
    <section>
      <h2>What version {figure(version)} changed</h2>
      <Choice
        label="Since"
        name="since"
        value={String(since)}
        options={earlier.map((each) => [each, each === "0" ? "the empty document" : `version ${each}`] as const)}
        onChange={(to) => go(asking({ since: to }), { replace: true })}
      />
      <Loading of={read}>{([before, after]) => <Difference of={lines(before, after)} />}</Loading>
    </section>
  );
};

/** The text of a version; before the first one there is none. */
const textOf = async (document: string, version: number): Promise<string> => {
  if (version < 1) return "";
  const params = { path: { document, version } };
  return (await bodyOf(api.GET("/documents/{document}/versions/{version}", { params }))).content;
};

const Difference = ({ of }: { of: readonly Line[] }) =>
  of.every((each) => each.kind === "same") ? (
    <Empty>The texts are the same.</Empty>
  ) : (
    <ol class="difference-of">
      {of.map(({ kind, text }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
        <li key={position} class={kind}>
          {kind === "same" ? text : kind === "added" ? <ins>{text}</ins> : <del>{text}</del>}
        </li>
      ))}
    </ol>
  );
