/** What needs somebody: alerts that hold, records that nobody could read, numbers that lack something, late checks. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { useLive } from "../../live/use";
import type { Person } from "../../session/session";
import { ago } from "../../ui/ago";
import { figure } from "../../ui/figures";
import { Icon, type IconName } from "../../ui/icon";
import type { Loaded } from "../../ui/loaded";
import { Failed } from "../../ui/loading";

type Overview = components["schemas"]["OverviewOut"];
type Alert = components["schemas"]["AlertOut"];

/** A check is late when the next of every night should have been. */
const LATE_MS = 26 * 3_600_000;
const READ = 10;
const NAMED = 2;

export interface Need {
  icon: IconName;
  look: "bad" | "warn" | "";
  name: string;
  about: string;
  to: string;
}

/** What is to be done, the worst first; what only administrators can open is theirs. */
export const needs = (
  alerts: readonly Alert[],
  overview: Overview | undefined,
  admin: boolean,
  now: number,
): Need[] => [
  ...alerts.slice(0, NAMED).map((each) => ofAlert(each, now)),
  ...(alerts.length > NAMED
    ? [{ ...ALERTS, name: `${alerts.length - NAMED} more alerts hold`, about: "and perhaps older ones" }]
    : []),
  ...(admin && overview ? ofTheTable(overview, now) : []),
];

const ALERTS = { icon: "alerts", look: "bad", to: "/alerts" } as const;

/** The first part says whose number it is: of a node, its type and id. */
const ofAlert = ({ alert, dimensions: [whose], since }: Alert, now: number): Need => ({
  ...ALERTS,
  name: `${[whose].flat().at(-1)}: ${alert}`,
  about: `for ${ago(now - Date.parse(since))}`,
});

const ofTheTable = ({ quarantined, incomplete, check }: Overview, now: number): Need[] => {
  const found: Need[] = [];
  if (quarantined)
    found.push({
      icon: "quarantine",
      look: "warn",
      name: `${figure(quarantined)} ${quarantined === 1 ? "record is" : "records are"} in quarantine`,
      about: "what they feed says that it lacks them",
      to: "/quarantine",
    });
  if (incomplete)
    found.push({
      icon: "numbers",
      look: "warn",
      name: `${figure(incomplete)} ${incomplete === 1 ? "number lacks" : "numbers lack"} something`,
      about: "until they are repaired",
      to: "/exactness",
    });
  const late = check ? now - Date.parse(check.instant) : null;
  if (check?.differences)
    found.push({
      icon: "checks",
      look: "bad",
      name: `${figure(check.differences)} differed at the last check`,
      about: `of ${figure(check.aggregates)}`,
      to: `/checks/${check.run}`,
    });
  if (late === null || late > LATE_MS)
    found.push({
      icon: "checks",
      look: "",
      name: late === null ? "The table was never checked" : "The nightly check is late",
      about: late === null ? "make reconcile begins a check" : `the last was ${ago(late)} ago`,
      to: "/checks",
    });
  return found;
};

export const Needs = ({ overview, who }: { overview: Loaded<Overview>; who: Person }) => {
  const alerts = useLive("/alerts", () => bodyOf(api.GET("/alerts", { params: { query: { limit: READ } } })));
  const all = needs(alerts.value?.alerts ?? [], overview.value, who.administrator, Date.now());
  const known = alerts.value !== undefined && (overview.value !== undefined || overview.error !== undefined);
  return (
    <section class="card needs">
      <h2>Needs you {all.length > 0 && <span class={`mark ${all[0]?.look}`}>{all.length}</span>}</h2>
      <Failed of={alerts} />
      <ul>
        {all.map((each, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two alerts may say the same
          <li key={place}>
            <span class={each.look}>
              <Icon name={each.icon} />
            </span>
            <div>
              <strong>{each.name}</strong>
              <p>{each.about}</p>
            </div>
            <a class="button" href={each.to} aria-label={`Open: ${each.name}`}>
              Open
            </a>
          </li>
        ))}
        {all.length === 0 && (
          <li class="none">{known ? "Nothing: no condition holds, and nothing is set aside." : ""}</li>
        )}
      </ul>
    </section>
  );
};
