/** What arrived last, and which number it moved. */

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { numberAt } from "../../links";
import { ago } from "../../ui/ago";
import { useEvery } from "../../ui/every";
import { figure } from "../../ui/figures";
import { sendReading } from "../../ui/first";
import { Icon } from "../../ui/icon";
import { shortly } from "../../ui/shortly";
import { Empty } from "../../ui/states";
import { type Moved, nameOf, type Seen, seenWith, shownOf, UNSEEN } from "./arrivals";

const EVERY_MS = 5000;
const ROWS = 7;
/** Rows that keep the place of those to come: each stays where it is. */
const EMPTY = Array.from({ length: ROWS }, (_, place) => place);

/** It stays while other pages are looked at. */
const seen = signal<Seen>(UNSEEN);

export const Arriving = () => {
  const failed = useLooking();
  const [now, setNow] = useState(Date.now());
  useEvery(1000, () => setNow(Date.now()));
  const { moved, last, now: looked, cursor } = seen.value;
  const rows = moved.slice(0, ROWS);
  return (
    <section class="card arriving">
      <h2>
        Arrived last <small>what, and the number it moved</small>
      </h2>
      {last !== null && rows.length === 0 ? (
        <Empty first={sendReading()}>Nothing has arrived yet.</Empty>
      ) : (
        <ul>
          {rows.map((each) => (
            <Row key={nameOf(each)} of={each} now={now} />
          ))}
          {EMPTY.slice(rows.length).map((place) => (
            <li key={place} class="none" />
          ))}
        </ul>
      )}
      <p class="about">
        {failed
          ? "The last look failed, and is taken again."
          : last !== null
            ? `Of all ${figure(last)} listed numbers.`
            : looked
              ? `Of ${figure(looked)} numbers so far${cursor ? "; there are more" : ""}.`
              : " "}
      </p>
    </section>
  );
};

/** Look at a page of numbers now and then; returns whether the last look failed. */
const useLooking = (): boolean => {
  const [failed, setFailed] = useState(false);
  const look = async () => {
    const { cursor } = seen.peek();
    try {
      const found = await bodyOf(api.GET("/recent", { params: { query: cursor ? { cursor } : {} } }));
      seen.value = seenWith(seen.peek(), found);
      setFailed(false);
    } catch {
      seen.value = { ...seen.peek(), cursor: null, now: 0 };
      setFailed(true);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first look, once
  useEffect(() => void look(), []);
  useEvery(EVERY_MS, () => void look());
  return failed;
};

const Row = ({ of, now }: { of: Moved; now: number }) => {
  const { icon, to, name, counts, did } = shownOf(of);
  const what = useWhat(of);
  return (
    <li>
      <span class={`tile ${icon}`}>
        <Icon name={icon} />
      </span>
      <span class="what">
        <a href={to}>{name}</a> {what ?? did}
      </span>
      <span class="counts">{counts}</span>
      <a class="number" href={numberAt(of.kind, of.dimensions)} title="Why is it so?">
        {figure(of.count)}
      </a>
      <time dateTime={of.at}>{ago(now - Date.parse(of.at))}</time>
    </li>
  );
};

const METRICS = 3;

/** What the newest source of a number says: of a device its newest reading, of a room its newest message. */
const useWhat = ({ kind, dimensions, at }: Moved): string | null => {
  const [what, setWhat] = useState<string | null>(null);
  const [name] = dimensions;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `at` says that there is another one
  useEffect(() => {
    if (typeof name !== "string") return;
    let dropped = false;
    const newest = { order: "desc", limit: 1 } as const;
    const show = (text: string | undefined) => dropped || text === undefined || setWhat(text);
    // Without it the row says less, and nothing wrong.
    const quiet = () => undefined;
    if (kind === "DEVICE")
      bodyOf(api.GET("/devices/{device}/events", { params: { path: { device: name }, query: newest } })).then(
        ({ events: [event] }) => show(event && `reported ${metricsOf(event.metrics)}`),
        quiet,
      );
    if (kind === "ROOM")
      bodyOf(api.GET("/rooms/{room}/messages", { params: { path: { room: name }, query: newest } })).then(
        ({ messages: [message] }) => show(message && `${shortly(message.user)}: “${message.text}”`),
        quiet,
      );
    return () => {
      dropped = true;
    };
  }, [kind, name, at]);
  return what;
};

const metricsOf = (metrics: Readonly<Record<string, unknown>>): string =>
  Object.entries(metrics)
    .slice(0, METRICS)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
