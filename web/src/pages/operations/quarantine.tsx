/** Records of the stream that could not be understood: why, what they say, and their second chance. */

import { useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { ApiError } from "../../api/problem";
import type { components } from "../../api/schema";
import { segment } from "../../api/spelling";
import { api } from "../../console";
import { go } from "../../router";
import { Figures, Instant } from "../../ui/figures";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing, Rows } from "../../ui/listing";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Empty, Failure } from "../../ui/states";
import { useTitle } from "../../ui/title";
import { Attributes } from "./attributes";
import "./operations.css";

type ImageOut = components["schemas"]["ImageOut"];
type RecordOut = components["schemas"]["RecordOut"];
interface Name {
  shard: string;
  sequence: string;
}

const recordAt = ({ shard, sequence }: Name): string => `/quarantine/${segment(shard)}/${segment(sequence)}`;
/** Numbers are padded in keys, so that they sort. */
const short = (sequence: string): string => sequence.replace(/^0+(?=\d)/, "");

export const Quarantine = () => {
  useTitle("Quarantine");
  const list = useListed("quarantine", (cursor) =>
    bodyOf(api.GET("/quarantine", { params: { query: { limit: 50, ...cursor } } })),
  );
  return (
    <>
      <div class="heading">
        <h1>Quarantine</h1>
        <button type="button" onClick={list.reload} disabled={list.waiting}>
          Reload
        </button>
      </div>
      <p class="about">
        A change that the consumer can't understand is kept here in full, and its shard goes on. Every aggregate
        remembers that it lacks the change. Deploy a release that understands it, then redrive it: it counts once.
      </p>
      <Listing list={list} entries={(page) => page.records} empty="Nothing is in quarantine." more="More records">
        {(records) => (
          <Rows
            of={records.map((each) => [
              `${each.shard} ${each.sequence}`,
              <a key="record" href={recordAt(each)}>
                {each.shard} {short(each.sequence)}
              </a>,
              each.error,
              <Instant key="at" at={each.at} />,
            ])}
          />
        )}
      </Listing>
    </>
  );
};

export const Quarantined = ({ shard, sequence }: Name) => {
  const read = useLoaded(`${shard} ${sequence}`, () =>
    bodyOf(api.GET("/quarantine/{shard}/{sequence}", { params: { path: { shard, sequence } } })),
  );
  return (
    <>
      <Heading above={["/quarantine", "Quarantine"]} name={`Record ${short(sequence)}`} />
      <Loading of={read}>{(record) => <Found of={record} />}</Loading>
    </>
  );
};

const Found = ({ of }: { of: RecordOut }) => (
  <>
    <Figures
      of={[
        ["Shard", of.shard],
        ["Change", of.event ?? "–"],
        ["Set aside", <Instant key="at" at={of.set_aside} />],
      ]}
    />
    <Redrive of={of} />
    <Image title="Before the change" of={of.old} />
    <Image title="After the change" of={of.new} />
  </>
);

const Redrive = ({ of: path }: { of: Name }) => {
  const [error, setError] = useState<unknown>();
  const [waiting, setWaiting] = useState(false);
  const redrive = async () => {
    setWaiting(true);
    setError(undefined);
    try {
      const { shard, sequence } = path;
      await bodyOf(api.POST("/quarantine/{shard}/{sequence}/redrive", { params: { path: { shard, sequence } } }));
      go("/quarantine");
    } catch (problem) {
      setError(problem);
      setWaiting(false);
    }
  };
  return (
    <>
      <button type="button" class="primary" onClick={redrive} disabled={waiting}>
        Redrive
      </button>
      {error instanceof ApiError && error.status === 409 ? (
        <p class="about">It still can't be understood. Deploy a release that reads it, then redrive it.</p>
      ) : null}
      {error ? <Failure error={error} /> : null}
    </>
  );
};

const Image = ({ title, of }: { title: string; of: ImageOut | null }) => (
  <section>
    <h2>{title}</h2>
    {of ? <Attributes of={of.attributes} hidden={of.hidden} /> : <Empty>There was no item.</Empty>}
  </section>
);
