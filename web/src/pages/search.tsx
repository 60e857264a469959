/** All that was found, by kind, the best or the newest first. */

import { bodyOf } from "../api/client";
import type { paths } from "../api/schema";
import { api } from "../console";
import { address, asking } from "../router";
import { Excerpt, Name } from "../search/excerpt";
import { type Found, nameOf, pageOf } from "../search/found";
import { Asking, Choice, Field } from "../ui/asking";
import { Instant } from "../ui/figures";
import { useListed } from "../ui/listed";
import { Listing } from "../ui/listing";
import { useTitle } from "../ui/title";

type Question = paths["/search"]["get"]["parameters"]["query"];

const ORDERS = [
  ["relevance", "best first"],
  ["time", "newest first"],
] as const;

export const Search = () => {
  useTitle("Search");
  const { searchParams } = address.value;
  const [q, kind, order] = ["q", "kind", "order"].map((name) => searchParams.get(name) ?? "") as [
    string,
    string,
    string,
  ];
  return (
    <>
      <h1>Search</h1>
      <Asking ask="Search" without={["kind"]}>
        <Field label="Words" name="q" value={q} required placeholder="zeppelin" />
        <Choice label="Order" name="order" value={order || "relevance"} options={ORDERS} />
      </Asking>
      {q && <Hits query={{ q, ...(kind && { kind }), ...(order === "time" && { order }) }} />}
    </>
  );
};

const Hits = ({ query }: { query: Question }) => {
  const list = useListed(JSON.stringify(query), (cursor) =>
    bodyOf(api.GET("/search", { params: { query: { ...query, ...cursor } } })),
  );
  const kinds = Object.entries(list.pages[0]?.kinds ?? {});
  return (
    <>
      <nav class="kinds" aria-label="Kinds">
        {list.pages[0]?.at_most ? <small>at most</small> : null}
        {query.kind ? <a href={asking({ kind: "" })}>all kinds</a> : null}
        {kinds.map(([name, count]) => (
          <a key={name} href={asking({ kind: name })} aria-current={query.kind === name ? "true" : undefined}>
            {name} {count}
          </a>
        ))}
      </nav>
      <Listing
        list={list}
        entries={(page) => page.found}
        empty="Nothing that you may read has these words."
        more="More results"
      >
        {(found) => (
          <ul class="hits">
            {found.map((each) => (
              <li key={`${each.kind} ${each.id.join(" ")}`}>
                <Hit of={each} />
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </>
  );
};

const Hit = ({ of }: { of: Found }) => {
  const to = pageOf(of);
  const name = <Name of={of} name={nameOf(of)} />;
  return (
    <>
      {to ? <a href={to}>{name}</a> : name}{" "}
      <small>
        {of.kind} {of.at ? <Instant at={of.at} /> : null}
      </small>
      <p>
        <Excerpt of={of.excerpt} />
      </p>
    </>
  );
};
