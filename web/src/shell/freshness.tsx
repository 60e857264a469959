/** How fresh the numbers of a page are: the least that all of its answers say. */

import { useEffect, useState } from "preact/hooks";
import { type Freshness as Fresh, freshnessOf, heard } from "../api/fresh";
import { live } from "../console";
import { ago } from "../ui/ago";
import { Banner } from "../ui/states";

const WORDS = { lacks: "Lacks a record", behind: "Behind", live: "Live", read: "Read" } as const;
const TIMES = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" });
const INSTANTS = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const HALF_A_DAY_MS = 43_200_000;

/** A time of day, with its day where it might be taken for another one's. */
const timeOf = (at: number): string => (Date.now() - at < HALF_A_DAY_MS ? TIMES : INSTANTS).format(at);

export const Freshness = () => {
  const fresh = freshnessOf(heard.value, live?.state.value === "open");
  return (
    <p class={`fresh ${fresh?.word ?? ""}`} hidden={!fresh}>
      {/* Only the word is told when it changes: the time does so all the time. */}
      <span role="status">{fresh && WORDS[fresh.word]}</span> {fresh && <When of={fresh} />}
    </p>
  );
};

/** What must be known of the numbers of the page that is shown: of whichever of its answers says the least. */
export const Doubts = ({ administrator }: { administrator: boolean }) => {
  const fresh = freshnessOf(heard.value, false);
  if (fresh?.word === "lacks")
    return (
      <Banner>
        A number on this page lacks a record that nobody could read, until it is redriven or the number repaired.{" "}
        {administrator && <a href="/quarantine">See it</a>}
      </Banner>
    );
  if (fresh?.word !== "behind") return null;
  return (
    <Banner>
      {fresh.asOf === null
        ? "Behind: what was written lately may be missing, and nobody knows yet since when."
        : `Behind: numbers on this page are exact until ${timeOf(fresh.asOf)}; what was written since may be missing.`}
    </Banner>
  );
};

const When = ({ of }: { of: Fresh }) => {
  const now = useNow(of.word === "behind");
  if (of.word === "behind" && of.asOf !== null) return <span>{ago(Math.max(1000, now - of.asOf))}</span>;
  if (of.word === "behind") return <span>since nobody knows when</span>;
  return of.asOf === null ? (
    <time dateTime={new Date(of.read).toISOString()}>
      {of.word === "read" ? "at " : "· read at "}
      {TIMES.format(of.read)}
    </time>
  ) : (
    <time
      dateTime={new Date(of.asOf).toISOString()}
      title="Every change until then is in the numbers of this page (UTC)"
    >
      · complete to {TIMES.format(of.asOf)}
    </time>
  );
};

/** The present time, which goes on each second while it is `wanted`. */
export const useNow = (wanted: boolean): number => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!wanted) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [wanted]);
  return now;
};
