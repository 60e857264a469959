/** What can be done to the consumer: a button and a key for each, and how often it was done. */

import { Glyph } from "../../ui/icon";
import type { Kind, ProofOut } from "./answers";
import { faultOf, isEarly, PLAIN_KEY, PLUS } from "./faults";
import { timesOf } from "./run";
import { ask, run } from "./watching";
import "./buttons.css";

interface Props {
  of: ProofOut;
  plain: boolean;
  turn: () => void;
}

export const Buttons = ({ of: { kinds, asked, verdict }, plain, turn }: Props) => (
  <fieldset class="faults" aria-label="What to do to the consumer">
    {kinds.map((kind) => (
      <Button
        key={kind}
        of={kind}
        asked={asked.filter((each) => each.kind === kind).length}
        early={isEarly(kind, verdict)}
      />
    ))}
    <button type="button" class="plain" role="switch" aria-checked={plain} aria-keyshortcuts={PLAIN_KEY} onClick={turn}>
      <span class="glyph">
        <Glyph path={PLUS} />
      </span>
      <span class="words">
        <strong>Plain ADD</strong>
        <small>beside ours</small>
      </span>
      <i class="knob" />
      <kbd>{PLAIN_KEY}</kbd>
    </button>
  </fieldset>
);

/** `asked`: how many wait for the next delivery. `early`: it would put off that anything is compared. */
const Button = ({ of: kind, asked, early }: { of: Kind; asked: number; early: boolean }) => {
  const { name, about, key, lane, icon } = faultOf(kind);
  const times = run.value ? timesOf(run.value, kind) : 0;
  return (
    <button
      type="button"
      class={`${lane} ${asked ? "asked" : ""}`}
      aria-keyshortcuts={key.toUpperCase()}
      disabled={early}
      onClick={() => void ask(kind)}
    >
      <span class="glyph">
        <Glyph path={icon} />
      </span>
      <span class="words">
        <strong>{name}</strong>
        <small>{early ? "once all is compared" : asked ? "waits for a delivery" : about}</small>
      </span>
      <span class="times">
        {times}
        <span class="hidden"> times done</span>
      </span>
      <kbd>{key.toUpperCase()}</kbd>
    </button>
  );
};
