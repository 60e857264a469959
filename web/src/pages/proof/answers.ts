/** What the API says of the proof. */

import type { components } from "../../api/schema";

type Schemas = components["schemas"];

export type ProofOut = Schemas["ProofOut"];
/** What one answer says of the consumer and the numbers, be it of now or of a second of a simulated run. */
export type Look = Omit<ProofOut, "kinds" | "watchable" | "cursor">;
export type RunOut = Schemas["RunOut"];
export type Kind = ProofOut["kinds"][number];
/** A number by what names it: the count in one cell of an aggregate. */
export type Named = Schemas["NumberIn"];
export type NumberOut = Schemas["RecountedOut"];
export type DoneOut = Schemas["DoneOut"];
export type WatchOut = Schemas["WatchOut"];
