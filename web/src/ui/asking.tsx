/** A form whose fields are parameters of the address, so that what it asks for can be shared. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
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

/** A field with a name above it. */
export const Input = ({ label, ...input }: { label: string } & preact.InputHTMLAttributes) => (
  <label>
    <span>{label}</span> <input maxLength={200} autoComplete="off" spellcheck={false} {...input} />
  </label>
);

/** A field that begins with what the address says, and keeps what is typed whenever the page is drawn again. */
export const Field = ({ value, ...input }: { label: string; value: string } & preact.InputHTMLAttributes) => {
  const [typed, type] = useOwn(value);
  return <Input {...input} value={typed} onInput={(event) => type(event.currentTarget.value)} />;
};

interface ChoiceProps {
  label: string;
  name: string;
  value: string;
  /** What the address says, and what people read. */
  options: readonly (readonly [string, string])[];
  onChange?: (value: string) => void;
}

export const Choice = ({ label, name, value, options, onChange }: ChoiceProps) => {
  const [chosen, choose] = useOwn(value);
  const change = (to: string) => {
    choose(to);
    onChange?.(to);
  };
  return (
    <label>
      <span>{label}</span>{" "}
      <select name={name} value={chosen} onChange={(event) => change(event.currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
};

/** A state that begins again whenever the address says something else. */
const useOwn = (said: string) => {
  const [own, setOwn] = useState(said);
  const before = useRef(said);
  // Not when the field appears: somebody may have typed already.
  useEffect(() => {
    if (before.current !== said) setOwn(said);
    before.current = said;
  }, [said]);
  return [own, setOwn] as const;
};
