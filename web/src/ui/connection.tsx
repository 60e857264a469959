/** Whether a page is current by itself. */

import { isMissing } from "../api/problem";
import { live } from "../console";

const WORDS = { open: "Live", opening: "Connecting …", closed: "Not live", absent: "Not live" } as const;

/** What went wrong with what is shown: something that does not exist is not live. */
export const Connection = ({ of: error }: { of: unknown }) => {
  if (isMissing(error)) return null;
  const state = live?.state.value ?? "absent";
  return (
    <span class={`connection ${state}`} role="status">
      {WORDS[state]}
    </span>
  );
};
