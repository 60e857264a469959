/** What can be done to the consumer, and how each is called, drawn and asked for. Icons are Lucide's (ui/icon.tsx). */

import type { Kind, ProofOut } from "./answers";

/** The lane in which a fault is drawn, and its colour. */
export type Lane = "again" | "killed" | "slowed" | "poisoned" | "shards";

export interface Fault {
  name: string;
  about: string;
  /** What is said when it was just done. */
  did: string;
  key: string;
  lane: Lane;
  icon: string;
}

const TURNS = "M17 2l4 4-4 4M3 11v-1a4 4 0 0 1 4-4h14M7 22l-4-4 4-4M21 13v1a4 4 0 0 1-4 4H3";

const FAULTS: Readonly<Record<Kind, Fault>> = {
  repeat: {
    name: "Deliver again",
    about: "all of a batch",
    did: "Delivered again",
    key: "d",
    lane: "again",
    icon: TURNS,
  },
  "repeat half": {
    name: "Half again",
    about: "half of a batch",
    did: "Half came again",
    key: "h",
    lane: "again",
    icon: `${TURNS}M11 10h1v4`,
  },
  rewind: {
    name: "Read again",
    about: "from earlier on",
    did: "Read again",
    key: "b",
    lane: "again",
    icon: "M12 6a2 2 0 0 0-3.414-1.414l-6 6a2 2 0 0 0 0 2.828l6 6A2 2 0 0 0 12 18zM22 6a2 2 0 0 0-3.414-1.414l-6 6a2 2 0 0 0 0 2.828l6 6A2 2 0 0 0 22 18z",
  },
  kill: {
    name: "Kill it",
    about: "between two writes",
    did: "Killed",
    key: "k",
    lane: "killed",
    icon: "M12.5 17l-.5-1-.5 1h1zM15 22a1 1 0 0 0 1-1v-1a2 2 0 0 0 1.56-3.25 8 8 0 1 0-11.12 0A2 2 0 0 0 8 20v1a1 1 0 0 0 1 1zM14 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M8 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0",
  },
  "lose answer": {
    name: "Lose its answer",
    about: "after all its writes",
    did: "Answer lost",
    key: "a",
    lane: "killed",
    icon: "M9 17H7A5 5 0 0 1 7 7M15 7h2a5 5 0 0 1 4 8M8 12h4M2 2l20 20",
  },
  slow: {
    name: "Slow it down",
    about: "2 s before each write",
    did: "Slowed",
    key: "s",
    lane: "slowed",
    icon: "M12 10l2 4v3a1 1 0 0 0 1 1h2a1 1 0 0 0 1-1v-3a8 8 0 1 0-16 0v3a1 1 0 0 0 1 1h2a1 1 0 0 0 1-1v-3l2-4h4ZM4.82 7.9L8 10M15.18 7.9L12 10M16.93 10H20a2 2 0 0 1 0 4H2",
  },
  poison: {
    name: "Poison a record",
    about: "nobody can read it",
    did: "Poisoned",
    key: "p",
    lane: "poisoned",
    icon: "M12 20v-9M14 7a4 4 0 0 1 4 4v3a6 6 0 0 1-12 0v-3a4 4 0 0 1 4-4zM14.12 3.88L16 2M21 21a4 4 0 0 0-3.81-4M21 5a4 4 0 0 1-3.55 3.97M22 13h-4M3 21a4 4 0 0 1 3.81-4M3 5a4 4 0 0 0 3.55 3.97M6 13H2M8 2l1.88 1.88M9 7.13V6a3 3 0 1 1 6 0v1.13",
  },
  "lose state": {
    name: "Lose the state",
    about: "of a window",
    did: "State lost",
    key: "l",
    lane: "shards",
    icon: "M21 21H8a2 2 0 0 1-1.42-.587l-3.994-3.999a2 2 0 0 1 0-2.828l10-10a2 2 0 0 1 2.829 0l5.999 6a2 2 0 0 1 0 2.828L12.834 21M5.082 11.09l8.828 8.828",
  },
  split: {
    name: "Split a shard",
    about: "and go on in two",
    did: "Split",
    key: "x",
    lane: "shards",
    icon: "M16 3h5v5M8 3H3v5M12 22v-8.3a4 4 0 0 0-1.172-2.872L3 3M15 9l6-6",
  },
};

/** A newer release may have kinds that this page does not know: they are shown by their names, without a key. */
export const faultOf = (kind: string): Fault =>
  FAULTS[kind as Kind] ?? { ...FAULTS.split, name: kind, about: "", did: kind, key: "" };

export const PLUS = "M5 12h14M12 5v14";
/** What turns the plain ADD on and off. */
export const PLAIN_KEY = "+";

/**
 * Whether a fault would put off that anything is compared: while a record is in quarantine, nobody can tell what the
 * numbers have.
 */
export const isEarly = (kind: Kind, verdict: ProofOut["verdict"]): boolean =>
  kind === "poison" && verdict !== "compared";
