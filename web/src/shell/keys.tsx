/** The keys of every page. A key does nothing while somebody types, and nobody needs one: all can be turned off. */

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Entry } from "../navigation";
import { go } from "../router";
import { Modal } from "../ui/modal";
import { finding } from "./find";

/** Whether the list of all keys is shown. */
export const showingKeys = signal(false);

/** Kept for this browser: it says nothing of anybody. */
const OFF = "keys-off";
/** Within so long after a G comes the letter of a page. */
const WITHIN_MS = 1500;
const TYPED = "input, textarea, select, [contenteditable]";
const OPENED = ":is(.wide, .rows, .tiles, .hits) a[href]";

/** A key of one page, which comes before what it means on every page. */
export interface PageKey {
  key: string;
  what: string;
  act: () => void;
}

const ofPage = signal<readonly PageKey[]>([]);

/** Follow these keys too while a page is shown. */
export const usePageKeys = (keys: readonly PageKey[]): void => {
  useEffect(() => {
    ofPage.value = keys;
    return () => {
      ofPage.value = [];
    };
  }, [keys]);
};

/** What a key means; `act`: what the page that is shown does. */
export type Meaning = "find" | "keys" | "reload" | "next" | "before" | "go" | { to: string } | PageKey | null;

/** `gone`: whether a G came just before it; `own`: the keys of the page that is shown. */
export const meaningOf = (
  key: string,
  gone: boolean,
  entries: readonly Entry[],
  own: readonly PageKey[] = [],
): Meaning => {
  if (gone) {
    const entry = entries.find((each) => each.key === key);
    return entry ? { to: entry.to } : null;
  }
  const found = own.find((each) => each.key === key);
  if (found) return found;
  return ({ "/": "find", "?": "keys", g: "go", r: "reload", j: "next", k: "before" } as const)[key] ?? null;
};

/** Follow the keys. Ctrl-K and Cmd-K work always: they are no single characters. */
export const useKeys = (entries: readonly Entry[]): void => {
  const gone = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        finding.value = true;
        return;
      }
      const target = event.target instanceof Element ? event.target : null;
      if (event.ctrlKey || event.metaKey || event.altKey || target?.closest(TYPED)) return;
      if (localStorage.getItem(OFF) || document.querySelector("dialog[open]")) return;
      const meaning = meaningOf(event.key.toLowerCase(), Date.now() - gone.current < WITHIN_MS, entries, ofPage.peek());
      gone.current = meaning === "go" ? Date.now() : 0;
      if (meaning === null) return;
      event.preventDefault();
      if (typeof meaning === "object") {
        if ("to" in meaning) go(meaning.to);
        // Whoever holds it down has pressed it once.
        else if (!event.repeat) meaning.act();
      } else if (meaning === "find") finding.value = true;
      else if (meaning === "keys") showingKeys.value = true;
      else if (meaning === "reload") reload();
      else if (meaning !== "go") move(meaning === "next" ? 1 : -1);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [entries]);
};

/** As if somebody pressed the page's own button. */
const reload = () => {
  const buttons = document.querySelectorAll<HTMLButtonElement>("main .heading button");
  [...buttons].find((each) => each.textContent === "Reload")?.click();
};

/** To the next link of the page's lists, or the one before; Enter opens it, as any link. */
const move = (step: number) => {
  const links = [...document.querySelectorAll<HTMLElement>(`main ${OPENED}`)];
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[at < 0 && step < 0 ? links.length - 1 : at + step]?.focus();
};

const keysFor = (entries: readonly Entry[]): readonly (readonly [string, string])[] => [
  ...ofPage.value.map(({ key, what }) => [key.toUpperCase(), what] as const),
  ["/ or Ctrl-K", "search, or go to any page"],
  ["J, K", "the next link of a list, and the one before"],
  ["Enter", "open it"],
  ["R", "read the page again"],
  ["?", "show these keys"],
  ...entries.flatMap(({ key, name }) => (key ? [[`G ${key.toUpperCase()}`, name] as const] : [])),
];

export const Keys = ({ entries }: { entries: readonly Entry[] }) => {
  const close = () => {
    showingKeys.value = false;
  };
  return (
    <Modal name="Keys" kind="keys" open={showingKeys.value} close={close}>
      <Listed entries={entries} />
      <button type="button" onClick={close}>
        Close
      </button>
    </Modal>
  );
};

const Listed = ({ entries }: { entries: readonly Entry[] }) => {
  const [off, setOff] = useState(localStorage.getItem(OFF) !== null);
  const turn = (to: boolean) => {
    if (to) localStorage.setItem(OFF, "yes");
    else localStorage.removeItem(OFF);
    setOff(to);
  };
  return (
    <>
      <h2>Keys</h2>
      <dl>
        {keysFor(entries).map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={off} onChange={(event) => turn(event.currentTarget.checked)} /> Turn off all but
        Ctrl-K
      </label>
    </>
  );
};
