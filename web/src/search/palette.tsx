/** A dialog that finds things from any page: `/` or Ctrl-K opens it, arrows choose, Enter goes there. */

import { useEffect, useState } from "preact/hooks";
import { bodyOf } from "../api/client";
import { api } from "../console";
import { go } from "../router";
import { finding } from "../shell/find";
import { Modal } from "../ui/modal";
import { Failure } from "../ui/states";
import { Excerpt, Name } from "./excerpt";
import { type Answer, type Found, nameOf, pageOf } from "./found";

/** Whoever types is not asked for with every letter. */
const PAUSE_MS = 120;
const SHOWN = 8;
/** Where a slash is a character that somebody types. */
const TYPED = "input, textarea, select, [contenteditable]";

const opens = (event: KeyboardEvent): boolean => {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) return true;
  const typing = event.target instanceof Element && event.target.closest(TYPED);
  return event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
};

export const Palette = () => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!opens(event)) return;
      event.preventDefault();
      finding.value = true;
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const close = () => {
    finding.value = false;
  };
  return (
    <Modal name="Find" kind="palette" open={finding.value} close={close}>
      <Finding leave={close} />
    </Modal>
  );
};

const Finding = ({ leave }: { leave: () => void }) => {
  const [asked, ask] = useState("");
  const [chosen, choose] = useState(0);
  const { answer, error } = useAnswer(asked);
  const found = answer?.found ?? [];
  const show = (to: string | null | undefined) => {
    if (!to) return;
    leave();
    go(to);
  };
  const all = `/search?q=${encodeURIComponent(asked.trim())}`;
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found.length) choose((chosen + step + found.length) % found.length);
    else if (event.key === "Enter") show(found[chosen] ? pageOf(found[chosen]) : asked.trim() && all);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        autofocus
        role="combobox"
        aria-label="What to find"
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-activedescendant={found.length ? `found-${chosen}` : undefined}
        placeholder="A message, a document, a device …"
        maxLength={200}
        autoComplete="off"
        spellcheck={false}
        value={asked}
        onInput={(event) => {
          ask(event.currentTarget.value);
          choose(0);
        }}
        onKeyDown={press}
      />
      {error ? <Failure error={error} /> : null}
      <div id="found" role="listbox" aria-label="Found">
        {found.map((each, position) => (
          <Option
            key={`${each.kind} ${each.id.join(" ")}`}
            id={`found-${position}`}
            of={each}
            chosen={position === chosen}
            show={() => show(pageOf(each))}
          />
        ))}
      </div>
      {answer && found.length === 0 && <p class="about">Nothing that you may read has these words.</p>}
      {answer && answer.total > found.length && (
        <p>
          <a href={all} onClick={leave}>
            All {answer.at_most ? "at most " : ""}
            {answer.total} results
          </a>
        </p>
      )}
    </>
  );
};

const Option = ({ id, of, chosen, show }: { id: string; of: Found; chosen: boolean; show: () => void }) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose
  // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and its keys choose
  <div id={id} role="option" aria-selected={chosen} onClick={show}>
    <span>
      <Name of={of} name={nameOf(of)} /> <small>{of.kind}</small>
    </span>
    <small>
      <Excerpt of={of.excerpt} />
    </small>
  </div>
);

/** What is found, as somebody types; an answer to what was asked before is dropped, and shown until there is another. */
const useAnswer = (asked: string) => {
  const [state, setState] = useState<{ answer?: Answer; error?: unknown }>({});
  const q = asked.trim();
  useEffect(() => {
    if (!/[\p{L}\p{N}]/u.test(q)) return setState({});
    let dropped = false;
    const wait = setTimeout(() => {
      bodyOf(api.GET("/search", { params: { query: { q, limit: SHOWN } } })).then(
        (answer) => dropped || setState({ answer }),
        (error: unknown) => dropped || setState({ error }),
      );
    }, PAUSE_MS);
    return () => {
      dropped = true;
      clearTimeout(wait);
    };
  }, [q]);
  return state;
};
