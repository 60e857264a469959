/** A command, and a button that copies it. */

import { useState } from "preact/hooks";

export const Copied = ({ text }: { text: string }) => {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <p class="copied">
      <code>{text}</code>
      <button type="button" onClick={copy}>
        {copied ? "Copied" : "Copy"}
      </button>
    </p>
  );
};
