/** One check: what it counted, what differs, and what it could not judge. */

import { bodyOf } from "../api/client";
import type { components } from "../api/schema";
import { api } from "../console";
import { Figures, figure, Instant } from "../ui/figures";
import { useListed } from "../ui/listed";
import { Listing } from "../ui/listing";
import { useLoaded } from "../ui/loaded";
import { Loading } from "../ui/loading";
import { useTitle } from "../ui/title";
import { Outcome } from "./checks";

type CheckOut = components["schemas"]["CheckOut"];
type Difference = components["schemas"]["DifferenceOut"];

/** Why an aggregate differs, in words. */
const WHY: Record<Difference["why"], string> = {
  wrong: "wrong by itself",
  follows: "as those below it are",
  noted: "lacks something noted",
  unreadable: "can't be read",
};

export const Check = ({ run }: { run: string }) => {
  useTitle(`Check ${run}`);
  const check = useLoaded(run, () => bodyOf(api.GET("/checks/{run}", { params: { path: { run } } })));
  return (
    <>
      <h1>Check {run}</h1>
      <Loading of={check}>
        {(found) => (
          <>
            <Numbers of={found} />
            {found.kind === "reconcile" && found.state === "done" && <Differences run={run} />}
            {found.unjudged?.length ? <NotJudged of={found.unjudged} /> : null}
          </>
        )}
      </Loading>
    </>
  );
};

const Numbers = ({ of }: { of: CheckOut }) => (
  <>
    <p>
      <Outcome of={of} /> {of.error}
    </p>
    <Figures
      of={[
        ["Began", <Instant key="began" at={of.began} />],
        ["Ended", <Instant key="ended" at={of.ended} />],
        ["Looked at", <Instant key="instant" at={of.instant} />],
        ["Items", figure(of.items)],
        ["Aggregates", figure(of.aggregates)],
        ["Not settled", figure(of.unsettled)],
        ["Quarantined", figure(of.quarantined)],
        ["Sources expired", figure(of.expired)],
        ["Unreadable", figure(of.unreadable)],
        ["Repairs that wait", figure(of.waiting)],
        ["Cost, USD", figure(of.cost)],
      ]}
    />
  </>
);

const NotJudged = ({ of }: { of: NonNullable<CheckOut["unjudged"]> }) => (
  <section>
    <h2>Not judged</h2>
    <ul>
      {of.map((each) => (
        <li key={each.type}>
          Of {figure(each.items)} <code>{each.type}</code>: {each.what}
        </li>
      ))}
    </ul>
  </section>
);

const Differences = ({ run }: { run: string }) => {
  const list = useListed(run, (cursor) =>
    bodyOf(api.GET("/checks/{run}/differences", { params: { path: { run }, query: cursor } })),
  );
  return (
    <section>
      <h2>Differences</h2>
      <Listing
        list={list}
        entries={(page) => page.differences}
        empty="None: every aggregate is exact."
        more="More differences"
      >
        {(found) => found.map((each) => <Differing key={`${each.pk} ${each.sk}`} of={each} />)}
      </Listing>
    </section>
  );
};

const Differing = ({ of }: { of: Difference }) => (
  <article class="difference">
    <h3>
      {of.kind} <span class="mark bad">{WHY[of.why]}</span>
    </h3>
    <p>
      <code>{of.pk}</code> <code>{of.sk}</code>
    </p>
    {of.reason && <p>{of.reason}</p>}
    <dl>
      {Object.entries(of.expected).map(([cell, expected]) => (
        <div key={cell}>
          <dt>{cell}</dt>
          <dd>
            expected <code>{expected || "nothing"}</code>, stored <code>{of.stored[cell] || "nothing"}</code>
          </dd>
        </div>
      ))}
    </dl>
  </article>
);
