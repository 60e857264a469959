/** What was clicked here, as a link to a run of it that everybody sees alike. */

import { useState } from "preact/hooks";
import { figure } from "../../ui/figures";
import type { Run } from "./run";
import { linkTo, scriptOf, seedOf } from "./script";

export const Share = ({ of }: { of: Run | null }) => {
  const [copied, setCopied] = useState("");
  const clicks = of?.clicked.length ?? 0;
  const link = of && clicks ? linkTo(seedOf(of), scriptOf(of)) : "";
  const copy = () => void navigator.clipboard.writeText(`${location.origin}${link}`).then(() => setCopied(link));
  return (
    <p class="about share">
      <span>{clicks === 1 ? "1 thing" : `${figure(clicks)} things`} clicked here</span>
      {link && <a href={link}>Replay</a>}
      <button type="button" onClick={copy} disabled={!link}>
        {link && copied === link ? "Link copied" : "Share this run"}
      </button>
    </p>
  );
};
