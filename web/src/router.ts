/** The page's addresses: each can be shared, and the browser's own back and forward work. */

import { computed, signal } from "@preact/signals";
import { begin } from "./api/fresh";
import { unspelled } from "./api/spelling";

const current = signal(new URL("/", "http://localhost"));

/** The address that is shown. */
export const address = computed(() => current.value);

/** An address of the page in full. A path may begin with two slashes, which a browser would take for another site. */
export const within = (origin: string, to: string): string => (to.startsWith("/") ? origin + to : to);

/** Show another address of the page; `replace` keeps it out of the history. */
export const go = (to: string, { replace = false } = {}): void => {
  history[replace ? "replaceState" : "pushState"](null, "", within(location.origin, to));
  show();
};

const show = (): void => {
  begin(location.pathname);
  current.value = new URL(location.href);
};

/** The current address with other parameters; an empty one is left out. */
export const asking = (change: Readonly<Record<string, string>>): string => asked(current.value, change);

export const asked = ({ pathname, search }: URL, change: Readonly<Record<string, string>>): string => {
  const parameters = new URLSearchParams(search);
  for (const [name, value] of Object.entries(change)) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  return parameters.size ? `${pathname}?${parameters}` : pathname;
};

/** The ids in a path if it has the form of a pattern, such as /rooms/:room; `*` at its end stands for the whole rest. */
export const matched = (pattern: string, path: string): Record<string, string> | null => {
  if (pattern.endsWith("/*")) {
    const start = pattern.slice(0, -1);
    return path.startsWith(start) && path.length > start.length ? { rest: path.slice(start.length) } : null;
  }
  const [wanted, found] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== found.length) return null;
  const ids: Record<string, string> = {};
  for (const [position, part] of wanted.entries()) {
    const segment = found[position] ?? "";
    if (part.startsWith(":") && segment) ids[part.slice(1)] = unspelled(segment);
    else if (part !== segment) return null;
  }
  return ids;
};

/** Whether a click on a link is one that the page answers itself: not a new tab, a download or another site. */
export const isOurs = (event: MouseEvent, link: HTMLAnchorElement): boolean =>
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.defaultPrevented) &&
  link.origin === location.origin &&
  !link.target &&
  !link.hasAttribute("download");

/** Begin to follow the address, and to answer clicks on links. */
export const follow = (): void => {
  show();
  addEventListener("popstate", show);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    // A link within the page, such as the one that skips the navigation, is the browser's own.
    if (!link || !isOurs(event, link) || link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(link.href);
  });
};
