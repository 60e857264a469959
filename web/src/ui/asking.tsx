/** A form whose fields are parameters of the address, so that what it asks for can be shared. */

import type { ComponentChildren } from "preact";
import { asking, go } from "../router";

interface Props {
  /** What the button says. */
  ask: string;
  /** Parameters that end with this question, such as those of another one. */
  without?: readonly string[];
  children: ComponentChildren;
}

export const Asking = ({ ask, without = [], children }: Props) => (
  <form
    class="asking"
    onSubmit={(event) => {
      event.preventDefault();
      const fields = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
      go(asking({ ...Object.fromEntries(without.map((name) => [name, ""])), ...Object.fromEntries(fields) }));
    }}
  >
    {children}
    <button type="submit">{ask}</button>
  </form>
);

/** A field with a name above it; `value` is what the address says. */
export const Field = ({ label, ...input }: { label: string } & preact.InputHTMLAttributes) => (
  <label>
    <span>{label}</span> <input maxLength={200} autoComplete="off" spellcheck={false} {...input} />
  </label>
);

interface ChoiceProps {
  label: string;
  name: string;
  value: string;
  /** What the address says, and what people read. */
  options: readonly (readonly [string, string])[];
  onChange?: (value: string) => void;
}

export const Choice = ({ label, name, value, options, onChange }: ChoiceProps) => (
  <label>
    <span>{label}</span>{" "}
    <select name={name} value={value} onChange={(event) => onChange?.(event.currentTarget.value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
