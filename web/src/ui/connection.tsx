/** Whether a page is current by itself. */

import { live } from "../console";

const WORDS = { open: "Live", opening: "Connecting …", closed: "Not live", absent: "Not live" } as const;

export const Connection = () => {
  const state = live?.state.value ?? "absent";
  return (
    <span class={`connection ${state}`} role="status">
      {WORDS[state]}
    </span>
  );
};
