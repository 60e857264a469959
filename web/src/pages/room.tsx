/** A room: its numbers, its messages as far back as somebody reads, and a field to write in. */

import { useEffect, useRef, useState } from "preact/hooks";
import { bodyOf } from "../api/client";
import { isMissing } from "../api/problem";
import { segment } from "../api/spelling";
import { api } from "../console";
import { personAt } from "../links";
import type { Timeline } from "../live/timeline";
import { type MessagesOut, useLive, useRoom } from "../live/use";
import { Figures, figure, Instant } from "../ui/figures";
import { writeMessage } from "../ui/first";
import { type Listed, useListed } from "../ui/listed";
import { Failed } from "../ui/loading";
import { Scrolling } from "../ui/scrolling";
import { shortly } from "../ui/shortly";
import { Empty, Failure, Waiting } from "../ui/states";
import { useTitle } from "../ui/title";
import { Members } from "./members";

const PAGE = 50;

export const Room = ({ room }: { room: string }) => {
  useTitle(room);
  const path = { room };
  const numbers = useLive(`/rooms/${segment(room)}`, () => bodyOf(api.GET("/rooms/{room}", { params: { path } })));
  const list = useListed(room, (cursor) => {
    const query = { order: "desc", limit: PAGE, ...cursor } as const;
    return bodyOf(api.GET("/rooms/{room}/messages", { params: { path, query } }));
  });
  const { timeline, begin } = useRoom(room);
  // Members are only read if somebody wants to see them.
  const [asked, setAsked] = useState(false);
  const newest = list.pages[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: `begin` belongs to the room
  useEffect(() => {
    if (newest) begin(newest.messages);
  }, [newest]);
  const reload = () => {
    numbers.reload();
    list.reload();
  };
  return (
    <div class="room">
      <div class="heading">
        <h1 title={room}>{shortly(room)}</h1>
        <button type="button" onClick={reload} disabled={list.waiting}>
          Reload
        </button>
      </div>
      {/* A room that nobody has written in has no numbers yet, which is no failure. */}
      {!isMissing(numbers.error) && <Failed of={numbers} />}
      {numbers.value && (
        <Figures
          of={[
            ["Messages", figure(numbers.value.messages)],
            ["People", figure(numbers.value.users)],
            ["Shards", figure(numbers.value.shards)],
          ]}
        />
      )}
      <details onToggle={(event) => setAsked(event.currentTarget.open)}>
        <summary>Members</summary>
        {asked && <Members room={room} />}
      </details>
      <Failed of={list} />
      <History room={room} list={list} timeline={timeline} />
      <Writing room={room} posted={reload} />
    </div>
  );
};

interface HistoryProps {
  room: string;
  list: Listed<MessagesOut>;
  timeline: Timeline;
}

/** The newest message is the first, and style.css shows it at the bottom: so older ones move nothing. */
const History = ({ room, list, timeline }: HistoryProps) => {
  const messages = timeline.pushed(list.pages.flatMap((page) => page.messages)).newestFirst;
  const end = useRef<HTMLLIElement>(null);
  const { next, more } = list;
  useEffect(() => {
    if (!end.current || !more) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && next());
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [next, more]);
  if (messages.length === 0) {
    return list.waiting ? (
      <Waiting />
    ) : list.error ? null : (
      <Empty first={writeMessage(room)}>Nobody has written here yet.</Empty>
    );
  }
  return (
    <Scrolling kind="history" name="Messages, the newest first">
      <ol>
        {messages.map((each) => (
          <li key={`${each.user} ${each.message_id} ${each.sent_at}`}>
            <a class="writer" href={personAt(each.user)} title={each.user}>
              {shortly(each.user)}
            </a>{" "}
            <Instant at={each.sent_at} />
            <p>{each.text}</p>
          </li>
        ))}
        <li ref={end} class="end">
          {more ? (
            <button type="button" onClick={next} disabled={list.waiting}>
              Older messages
            </button>
          ) : (
            "The room begins here."
          )}
        </li>
      </ol>
    </Scrolling>
  );
};

const Writing = ({ room, posted }: { room: string; posted: () => void }) => {
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>();
  const [sending, setSending] = useState(false);
  // A message that is sent again after a lost answer keeps its name, so it is stored once.
  const name = useRef(crypto.randomUUID());
  const edit = (to: string) => {
    name.current = crypto.randomUUID();
    setText(to);
  };
  const send = async () => {
    setSending(true);
    try {
      const header = { "idempotency-key": name.current };
      await api.POST("/rooms/{room}/messages", { params: { path: { room }, header }, body: { messages: [{ text }] } });
      edit("");
      setError(undefined);
      posted();
    } catch (problem) {
      setError(problem);
    }
    setSending(false);
  };
  return (
    <form
      class="writing"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && !sending) void send();
      }}
    >
      {error ? <Failure error={error} /> : null}
      <label>
        <span class="hidden">Message</span>
        <textarea
          value={text}
          rows={2}
          maxLength={40_000}
          placeholder={`Write to ${shortly(room)}`}
          onInput={(event) => edit(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      <button type="submit" class="primary" disabled={sending || !text.trim()}>
        Send
      </button>
    </form>
  );
};
