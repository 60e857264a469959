/** Where figures come from, and what it costs to have them. */

import type { components } from "../../api/schema";
import { usd } from "./figured";

type SourceOut = components["schemas"]["SourceOut"];

export const Source = ({ of }: { of: SourceOut }) => (
  <details class="source">
    <summary>Source</summary>
    <p>
      {of.text}. To have it once costs {usd(of.cost)}.
    </p>
  </details>
);
