/** Pages that stay current while they are shown. */

import { useEffect, useRef, useState } from "preact/hooks";
import { bodyOf } from "../api/client";
import { pages } from "../api/pages";
import type { components } from "../api/schema";
import { api, live } from "../console";
import type { Loaded } from "../ui/loaded";
import { Followed } from "./followed";
import { Room } from "./room";
import { type Message, Timeline } from "./timeline";

interface State<T> {
  of: string;
  value?: T;
  error?: unknown;
  at: number;
  waiting: boolean;
}

/** What an address answers, kept current. Not `pushed`: nobody can subscribe to this address. */
export const useLive = <T>(address: string, read: () => Promise<T>, { pushed = true } = {}): Loaded<T> => {
  const [state, setState] = useState<State<T>>({ of: address, at: 0, waiting: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` asks for the same once more
  useEffect(() => {
    setState((before) => ({
      ...(before.of === address ? before : { at: 0 }),
      of: address,
      error: undefined,
      waiting: true,
    }));
    const followed = new Followed(pushed ? live : null, address, () => latest.current(), {
      value: (value) => setState({ of: address, value, at: Date.now(), waiting: false }),
      error: (error) => setState((kept) => ({ ...kept, of: address, error, waiting: false })),
    });
    followed.read();
    return () => followed.leave();
  }, [address, turn, pushed]);
  const { value, error, at, waiting } =
    state.of === address ? state : { value: undefined, error: undefined, at: 0, waiting: true };
  return { value, error, at, waiting, reload: () => setTurn((before) => before + 1) };
};

export type MessagesOut = components["schemas"]["MessagesOut"];

/** The messages of a room that came since the page was opened, or were stored late; `begin` takes what it has read. */
export const useRoom = (name: string): { timeline: Timeline; begin: (known: readonly Message[]) => void } => {
  const [timeline, setTimeline] = useState(Timeline.empty);
  const room = useRef<Room | null>(null);
  useEffect(() => {
    setTimeline(Timeline.empty);
    const followed = new Room(live, name, (from) => messagesFrom(name, from), setTimeline);
    room.current = followed;
    return () => followed.leave();
  }, [name]);
  return { timeline, begin: (messages) => room.current?.begin(messages) };
};

const messagesFrom = async (room: string, from: string | undefined): Promise<Message[]> => {
  const found: Message[] = [];
  const query = { order: "asc", limit: 500, ...(from ? { from } : {}) } as const;
  const list = pages((cursor) =>
    bodyOf(api.GET("/rooms/{room}/messages", { params: { path: { room }, query: { ...query, ...cursor } } })),
  );
  for await (const page of list) found.push(...page.messages);
  return found;
};
