/** A document: its newest text, every version with what changed, who may read and write it, further information. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { person } from "../../session/session";
import { Input } from "../../ui/asking";
import { Figures, figure, Instant } from "../../ui/figures";
import { writeVersion } from "../../ui/first";
import { Heading } from "../../ui/heading";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Sending } from "../../ui/sending";
import { Empty } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { Versions } from "./versions";

type DocumentOut = components["schemas"]["DocumentOut"];

export const Document = ({ document }: { document: string }) => {
  const read = useLoaded("document", () =>
    bodyOf(api.GET("/documents/{document}", { params: { path: { document } } })),
  );
  return (
    <>
      <Heading above={["/records", "Records"]} name={document} />
      <Loading of={read}>
        {(value) => (
          <>
            <p>
              <strong>{value.metadata.title}</strong> {value.metadata.description}
            </p>
            <Figures
              of={[
                ["Versions", figure(value.summary.versions)],
                ...Object.entries(value.summary.authors).map(([author, by]) => [`by ${author}`, figure(by)] as const),
                ...(value.summary.unlisted > 0 ? [["by others", figure(value.summary.unlisted)] as const] : []),
              ]}
            />
            <Tabs
              name="About this document"
              of={[
                ["text", "Text", () => <Text of={value} stored={read.reload} />],
                ["versions", "Versions", () => <Versions document={document} />],
                ["rights", "Permissions", () => <Permissions of={value} />],
                ["information", "Information", () => <Information of={value} />],
              ]}
            />
          </>
        )}
      </Loading>
    </>
  );
};

const Text = ({ of, stored }: { of: DocumentOut; stored: () => void }) => {
  const { owner, writers } = of.permissions;
  const name = person.value?.name ?? "";
  return (
    <>
      <Newest of={of} />
      {(name === owner || writers.includes(name)) && <Revising key={of.newest?.version} of={of} stored={stored} />}
    </>
  );
};

/** The next version follows the one that is shown: somebody else's in between is a conflict. */
const Revising = ({ of: { document, newest }, stored }: { of: DocumentOut; stored: () => void }) => (
  <Sending
    title="Write the next version"
    ask="Store"
    send={({ content = "", note }, name) => {
      const follows = newest ? { "if-match": `"${newest.version}"` } : ({ "if-none-match": "*" } as const);
      return api.POST("/documents/{document}/versions", {
        params: { path: { document }, header: { "idempotency-key": name, ...follows } },
        body: { content, ...(note && { note }) },
      });
    }}
    sent={stored}
  >
    <label class="writing-text">
      <span>Text</span>
      <textarea name="content" rows={10} defaultValue={newest?.content} required />
    </label>
    <Input label="Note" name="note" maxLength={1000} />
  </Sending>
);

const Newest = ({ of: { document, newest } }: { of: DocumentOut }) =>
  newest ? (
    <>
      <p class="about">
        Version {figure(newest.version)} by {newest.author}, <Instant at={newest.at} />
      </p>
      <p class="text">{newest.content}</p>
    </>
  ) : (
    <Empty first={writeVersion(document)}>It has no text yet.</Empty>
  );

const Permissions = ({ of: { permissions } }: { of: DocumentOut }) => (
  <Figures
    of={[
      ["Owner", permissions.owner],
      ["May write", permissions.writers.join(", ") || "nobody else"],
      ["May read", permissions.readers.join(", ") || "nobody else"],
    ]}
  />
);

const Information = ({ of: { document, metadata, information } }: { of: DocumentOut }) => {
  const attributes = Object.entries(metadata.attributes);
  if (attributes.length + information.length === 0) return <Empty>There is none.</Empty>;
  return (
    <>
      {attributes.length > 0 && <Figures of={attributes} />}
      {information.map((name) => (
        <details key={name} class="information">
          <summary>{name}</summary>
          <Data document={document} name={name} />
        </details>
      ))}
    </>
  );
};

const Data = ({ document, name }: { document: string; name: string }) => {
  const params = { path: { document, name } };
  const read = useLoaded(name, () => bodyOf(api.GET("/documents/{document}/information/{name}", { params })));
  return <Loading of={read}>{({ data }) => <pre class="text">{JSON.stringify(data, null, 2)}</pre>}</Loading>;
};
