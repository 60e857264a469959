/** A dialog that goes anywhere: `/` or Ctrl-K opens it, arrows choose, Enter goes there. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { bodyOf } from "../api/client";
import { api, searching, session } from "../console";
import type { Entry } from "../navigation";
import { go } from "../router";
import { finding } from "../shell/find";
import { showingKeys } from "../shell/keys";
import { Icon } from "../ui/icon";
import { Modal } from "../ui/modal";
import { Failure } from "../ui/states";
import { type Choice, groupsFor } from "./choices";
import { Excerpt, Name } from "./excerpt";
import { type Answer, type Found, nameOf } from "./found";
import "./palette.css";

/** Whoever types is not asked for with every letter. */
const PAUSE_MS = 120;
const SHOWN = 8;

const COMMANDS: readonly Choice[] = [
  {
    key: "keys",
    icon: "more",
    name: "Show all keys",
    about: "what each key does",
    act: () => (showingKeys.value = true),
  },
  { key: "reload", icon: "flow", name: "Reload", about: "read the page again", act: () => location.reload() },
  { key: "leave", icon: "leave", name: "Sign out", about: "in every tab", act: () => void session.signOut() },
];

export const Palette = ({ entries }: { entries: readonly Entry[] }) => {
  const close = () => {
    finding.value = false;
  };
  return (
    <Modal name="Go to" kind="palette" open={finding.value} close={close}>
      <Finding entries={entries} leave={close} />
    </Modal>
  );
};

const Finding = ({ entries, leave }: { entries: readonly Entry[]; leave: () => void }) => {
  const [asked, ask] = useState("");
  const [chosen, choose] = useState(0);
  const { answer, error } = useAnswer(asked);
  const groups = useMemo(() => groupsFor(asked, entries, COMMANDS, answer?.found ?? []), [asked, answer, entries]);
  const choices = groups.flatMap(([, each]) => each);
  const at = Math.min(chosen, choices.length - 1);
  useEffect(() => document.getElementById(`choice-${at}`)?.scrollIntoView({ block: "nearest" }), [at]);
  const take = (choice: Choice | undefined) => {
    if (!choice?.to && !choice?.act) return;
    leave();
    if (choice.to) go(choice.to);
    choice.act?.();
  };
  const all = `/search?q=${encodeURIComponent(asked.trim())}`;
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && choices.length) choose((at + step + choices.length) % choices.length);
    else if (event.key === "Enter")
      take(choices[at] ?? (searching && asked.trim() ? { ...NOTHING, to: all } : undefined));
    else return;
    event.preventDefault();
  };
  let place = 0;
  return (
    <>
      <div class="asked">
        <Icon name="search" />
        <input
          autofocus
          role="combobox"
          aria-label="What to find"
          aria-expanded={choices.length > 0}
          aria-controls="choices"
          aria-activedescendant={at >= 0 ? `choice-${at}` : undefined}
          placeholder={searching ? "A page, a message, a device …" : "A page"}
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
      </div>
      {error ? <Failure error={error} /> : null}
      <div id="choices" class="choices" role="listbox" aria-label="Found">
        {groups.map(([group, each]) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, and no fieldset
          <div key={group} role="group" aria-label={group}>
            <div class="group" aria-hidden="true">
              {group}
            </div>
            {each.map((choice) => {
              const mine = place++;
              return (
                <Option
                  key={choice.key}
                  id={`choice-${mine}`}
                  of={choice}
                  chosen={mine === at}
                  take={() => take(choice)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <footer>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <More answer={answer} to={all} leave={leave} />
      </footer>
    </>
  );
};

const NOTHING: Choice = { key: "", icon: "search", name: "", about: "" };

const More = ({ answer, to, leave }: { answer: Answer | undefined; to: string; leave: () => void }) => {
  if (!answer) return null;
  if (answer.found.length === 0) return <span>Nothing that you may read has these words.</span>;
  if (answer.total <= answer.found.length) return null;
  return (
    <a href={to} onClick={leave}>
      All {answer.at_most ? "at most " : ""}
      {answer.total} results
    </a>
  );
};

const Option = ({ id, of, chosen, take }: { id: string; of: Choice; chosen: boolean; take: () => void }) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose
  // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and its keys choose
  <div id={id} role="option" aria-selected={chosen} onClick={take}>
    <Icon name={of.icon} />
    <span class="line">
      <span class="name">{of.found ? <Title of={of.found} /> : of.name}</span> <small>{of.about}</small>
    </span>
    {of.found?.title.text && of.found.excerpt.text ? (
      <small class="line excerpt">
        <Excerpt of={of.found.excerpt} />
      </small>
    ) : null}
  </div>
);

/** What a thing is called; of a message, what it says. */
const Title = ({ of }: { of: Found }) =>
  of.kind === "message" ? <Excerpt of={of.excerpt} /> : <Name of={of} name={nameOf(of)} />;

/** What is found, as somebody types; an answer to what was asked before is dropped, and shown until there is another. */
const useAnswer = (asked: string) => {
  const [state, setState] = useState<{ answer?: Answer; error?: unknown }>({});
  const q = asked.trim();
  useEffect(() => {
    if (!searching || !/[\p{L}\p{N}]/u.test(q)) return setState({});
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
