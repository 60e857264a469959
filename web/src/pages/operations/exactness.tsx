/** Every number's proof: choose an aggregate to open it up; and those that are known to lack something. */

import { useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { go } from "../../router";
import type { Person } from "../../session/session";
import { Choice, Input } from "../../ui/asking";
import { useListed } from "../../ui/listed";
import { Listing, Rows } from "../../ui/listing";
import { type Loaded, useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { useTitle } from "../../ui/title";
import { aggregateAt, dimensionsIn, type KindOut, written } from "./naming";

/** What each form of a part looks like. */
const EXAMPLES: Record<string, string> = { text: "amy", path: "US/Texas", instant: "2018-08-29T12:00:00.000Z" };
const FIRST = "USER";

export const useKinds = (): Loaded<KindOut[]> =>
  useLoaded("kinds", async () => (await bodyOf(api.GET("/aggregates/kinds"))).kinds);

export const Exactness = ({ who }: { who: Person }) => {
  useTitle("Numbers");
  return (
    <>
      <h1>Numbers</h1>
      <p class="about">
        Each number is an item that remembers how far it has absorbed each shard of the stream. So a change that is
        delivered twice is counted once. Open one to see how it came about.
      </p>
      <Loading of={useKinds()}>
        {(kinds) => (
          <>
            <Choosing kinds={kinds} />
            {who.administrator && <Incomplete kinds={kinds} />}
          </>
        )}
      </Loading>
      {who.administrator && (
        <p>
          <a href="/quarantine">Records in quarantine</a>: changes that could not be understood, and are missing until
          they are redriven.
        </p>
      )}
    </>
  );
};

const Choosing = ({ kinds }: { kinds: readonly KindOut[] }) => {
  const [chosen, choose] = useState(FIRST);
  const kind = kinds.find((each) => each.kind === chosen) ?? kinds[0];
  if (!kind) return null;
  return (
    <section>
      <h2>Open an aggregate</h2>
      <form
        class="asking"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
          const dimensions = dimensionsIn(kind, new URLSearchParams(fields));
          if (dimensions) go(aggregateAt(kind, dimensions));
        }}
      >
        <Choice
          label="Kind"
          name="kind"
          value={kind.kind}
          options={kinds.map((each) => [each.kind, each.kind] as const)}
          onChange={choose}
        />
        {kind.parts.map(({ name, form }) => (
          <Input
            key={`${kind.kind} ${name}`}
            label={form === "instant" ? `${name} (begin)` : name}
            name={name}
            required
            placeholder={EXAMPLES[form]}
          />
        ))}
        <button type="submit">Open</button>
      </form>
      <p class="about">
        It counts {kind.cells}; from {kind.sources.join(", ")}.
      </p>
    </section>
  );
};

const Incomplete = ({ kinds }: { kinds: readonly KindOut[] }) => {
  const list = useListed("incomplete", (cursor) =>
    bodyOf(api.GET("/aggregates/incomplete", { params: { query: { limit: 50, ...cursor } } })),
  );
  return (
    <section>
      <h2>Aggregates that lack something</h2>
      <Listing list={list} entries={(page) => page.incomplete} empty="None: every aggregate is complete." more="More">
        {(notes) => (
          <Rows
            of={notes.map(({ kind: name, dimensions, why }) => {
              const kind = kinds.find((each) => each.kind === name);
              const text = `${name ?? "An aggregate"} ${dimensions.map(written).join(" ")}`;
              return [
                JSON.stringify([name, dimensions, why]),
                kind ? (
                  <a key="name" href={aggregateAt(kind, dimensions)}>
                    {text}
                  </a>
                ) : (
                  text
                ),
                why,
              ];
            })}
          />
        )}
      </Listing>
    </section>
  );
};
