/** One check: what it counted, what differs, and what it could not judge. */

import { bodyOf } from "../api/client";
import type { components } from "../api/schema";
import { api } from "../console";
import { Figures, figure, Instant } from "../ui/figures";
import { useListed } from "../ui/listed";
import { useLoaded } from "../ui/loaded";
import { Empty, Failure, Waiting } from "../ui/states";
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
      {check.error ? <Failure error={check.error} again={check.reload} /> : null}
      {check.value ? <Numbers of={check.value} /> : check.waiting && <Waiting />}
      {check.value?.kind === "reconcile" && check.value.state === "done" && <Differences run={run} />}
      {check.value?.unjudged?.length ? <NotJudged of={check.value.unjudged} /> : null}
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
  const found = list.pages.flatMap((page) => page.differences);
  return (
    <section>
      <h2>Differences</h2>
      {list.error ? <Failure error={list.error} again={list.reload} /> : null}
      {list.waiting && found.length === 0 ? <Waiting /> : null}
      {!list.waiting && !list.error && found.length === 0 ? <Empty>None: every aggregate is exact.</Empty> : null}
      {found.map((each) => (
        <article class="difference" key={`${each.pk} ${each.sk}`}>
          <h3>
            {each.kind} <span class="mark bad">{WHY[each.why]}</span>
          </h3>
          <p>
            <code>{each.pk}</code> <code>{each.sk}</code>
          </p>
          {each.reason && <p>{each.reason}</p>}
          <dl>
            {Object.entries(each.expected).map(([cell, expected]) => (
              <div key={cell}>
                <dt>{cell}</dt>
                <dd>
                  expected <code>{expected || "nothing"}</code>, stored <code>{each.stored[cell] || "nothing"}</code>
                </dd>
              </div>
            ))}
          </dl>
        </article>
      ))}
      {list.more && (
        <button type="button" onClick={list.next} disabled={list.waiting}>
          More differences
        </button>
      )}
    </section>
  );
};
