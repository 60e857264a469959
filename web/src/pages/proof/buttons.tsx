/** What can be done to the consumer: a button and a key for each, and how often it was done. */

import { Glyph } from "../../ui/icon";
import type { Kind, ProofOut } from "./answers";
import { faultOf, PLAIN_KEY, PLUS } from "./faults";
import { timesOf } from "./run";
import { ask, run } from "./watching";
import "./buttons.css";

interface Props {
  of: ProofOut;
  plain: boolean;
  turn: () => void;
}

export const Buttons = ({ of: { kinds, asked }, plain, turn }: Props) => (
  <fieldset class="faults" aria-label="What to do to the consumer">
    {kinds.map((kind) => (
      <Button key={kind} of={kind} asked={asked.filter((each) => each.kind === kind).length} />
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

/** `asked`: how many wait for the next delivery. */
const Button = ({ of: kind, asked }: { of: Kind; asked: number }) => {
  const { name, about, key, lane, icon } = faultOf(kind);
  const times = run.value ? timesOf(run.value, kind) : 0;
  return (
    <button
      type="button"
      class={`${lane} ${asked ? "asked" : ""}`}
      aria-keyshortcuts={key.toUpperCase()}
      onClick={() => void ask(kind)}
    >
      <span class="glyph">
        <Glyph path={icon} />
      </span>
      <span class="words">
        <strong>{name}</strong>
        <small>{asked ? "waits for a delivery" : about}</small>
      </span>
      <span class="times">
        {times}
        <span class="hidden"> times done</span>
      </span>
      <kbd>{key.toUpperCase()}</kbd>
    </button>
  );
};
