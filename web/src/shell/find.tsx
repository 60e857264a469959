/** What opens the palette, from wherever one is. */

import { signal } from "@preact/signals";
import { Icon } from "../ui/icon";

/** Whether the palette is open. */
export const finding = signal(false);

export const FindButton = () => (
  <button type="button" class="find" aria-keyshortcuts="/ Control+K Meta+K" onClick={() => (finding.value = true)}>
    <Icon name="search" />
    Search or go to
    <kbd>/</kbd>
  </button>
);
