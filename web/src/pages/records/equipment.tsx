/** Equipment: the newest audit of each part, and the history of one part with what changed. */

import { useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { address, asking } from "../../router";
import { person } from "../../session/session";
import { Input } from "../../ui/asking";
import { Figures, figure, Instant } from "../../ui/figures";
import { storeAudit } from "../../ui/first";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { Sending } from "../../ui/sending";
import { Table } from "../../ui/table";
import { type Change, changed } from "./changed";

type Audit = components["schemas"]["AuditOut"];

/** What the equipment as a whole is called, and how the address says it: no part has an empty name. */
const WHOLE = "the whole";

export const Equipment = ({ equipment }: { equipment: string }) => {
  const list = useListed("equipment", (cursor) =>
    bodyOf(api.GET("/equipment/{equipment}", { params: { path: { equipment }, query: cursor } })),
  );
  const [turn, setTurn] = useState(0);
  const audited = () => {
    list.reload();
    setTurn(turn + 1);
  };
  const summary = list.pages[0]?.summary;
  const parts = list.pages.flatMap((page) => page.newest).map((each) => each.part);
  const asked = address.value.searchParams.get("part");
  const part = parts.includes(asked) ? asked : parts.includes(null) ? null : parts[0];
  return (
    <>
      <Heading above={["/records", "Records"]} name={equipment} />
      {summary && (
        <Figures
          of={[
            ["Audits", figure(summary.audits)],
            ...Object.entries(summary.results).map(([result, audits]) => [result, figure(audits)] as const),
            ...(summary.unlisted > 0 ? [["with other results", figure(summary.unlisted)] as const] : []),
          ]}
        />
      )}
      <section>
        <h2>The newest audit of each part</h2>
        <Listing
          list={list}
          entries={(page) => page.newest}
          empty="It has not been audited."
          first={storeAudit(equipment)}
          more="More parts"
        >
          {(audits) => <Newest of={audits} />}
        </Listing>
      </section>
      {person.value?.writer && <Auditing equipment={equipment} audited={audited} />}
      {part !== undefined && <History key={`${part} ${turn}`} equipment={equipment} part={part} />}
    </>
  );
};

const Auditing = ({ equipment, audited }: { equipment: string; audited: () => void }) => (
  <Sending
    title="Store an audit"
    ask="Store"
    send={({ result = "", auditor = "", ...others }, name) =>
      api.POST("/equipment/{equipment}/audits", {
        params: { path: { equipment }, header: { "idempotency-key": name } },
        body: { result, auditor, ...others },
      })
    }
    sent={audited}
  >
    <Input label="Part, if not the whole" name="part" />
    <Input label="Result" name="result" required placeholder="passed" />
    <Input label="Auditor" name="auditor" required defaultValue={person.value?.name} />
    <Input label="Notes" name="notes" maxLength={10_000} />
  </Sending>
);

const Newest = ({ of }: { of: readonly Audit[] }) => (
  <Table
    name="The newest audit of each part"
    columns={["Part", "Result", "Auditor", "At", "Audits"]}
    rows={of.map((each) => [
      each.part ?? "",
      <a key="part" href={asking({ part: each.part ?? "" })}>
        {each.part ?? WHOLE}
      </a>,
      each.result,
      each.auditor,
      <Instant key="at" at={each.at} />,
      each.version,
    ])}
  />
);

const History = ({ equipment, part }: { equipment: string; part: string | null }) => {
  const query = { order: "desc", limit: 20, ...(part !== null && { part }) } as const;
  const list = useListed("audits", (cursor) =>
    bodyOf(
      api.GET("/equipment/{equipment}/audits", { params: { path: { equipment }, query: { ...query, ...cursor } } }),
    ),
  );
  return (
    <section>
      <h2>History of {part ?? WHOLE}, the newest first</h2>
      <Listing list={list} entries={(page) => page.audits} empty="It has not been audited." more="Earlier audits">
        {(audits) => (
          <ol class="history-of" aria-label="Audits">
            {audits.map((each, position) => (
              <Entry key={each.version} of={each} changes={sinceThen(audits[position + 1], each)} />
            ))}
          </ol>
        )}
      </Listing>
    </section>
  );
};

/** What changed since the audit before; the oldest of those that were read has none to compare with. */
const sinceThen = (before: Audit | undefined, after: Audit): readonly Change[] =>
  before ? changed(facts(before), facts(after)) : [];

const facts = ({ result, auditor, notes }: Audit) => ({ result, auditor, notes });

const Entry = ({ of, changes }: { of: Audit; changes: readonly Change[] }) => (
  <li>
    <p>
      <strong>{figure(of.version)}</strong> {of.result}, by {of.auditor}, <Instant at={of.at} />
    </p>
    {of.notes && !changes.some(({ field }) => field === "notes") && <p class="text">{of.notes}</p>}
    {changes.length > 0 && <Changes of={changes} />}
  </li>
);

const Changes = ({ of }: { of: readonly Change[] }) => (
  <ul class="changes">
    {of.map(({ field, before, after }) => (
      <li key={field}>
        {field}: <del>{before ?? "none"}</del> → <ins>{after ?? "none"}</ins>
      </li>
    ))}
  </ul>
);
